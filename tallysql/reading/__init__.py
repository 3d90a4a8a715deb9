"""The budgeted reading view."""
