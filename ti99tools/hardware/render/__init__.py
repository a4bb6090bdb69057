"""What a machine shows and sounds, for the host: pictures, animations, text, samples.

Works on snapshots of the video processor and on the sound chip's registers; moves no clock. Pillow
is imported when an image is made.
"""
