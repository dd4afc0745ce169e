"""The one exception of this package."""


class WorkloadError(Exception):
    """Data that are missing or too small for the settings; its text is one line with a remedy."""
