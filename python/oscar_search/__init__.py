"""Searching the grid of a sweep for its best points, without computing all of them."""
