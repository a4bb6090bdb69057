"""What a game did: events, the play log's form, key scripts.

Nothing that produces or judges them is here. Imports base.
"""
