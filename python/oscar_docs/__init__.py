"""Pages of the documentation that are made: of what the program says, and of the notebook."""
