"""What a game did: events, the play log's form, key scripts.

No anything that produces or judges them. Imports base.
"""
