"""The one exception of this package."""


class CaptureError(Exception):
    """A wrong argument, or a recording that cannot be written; its text is one line with a remedy."""
