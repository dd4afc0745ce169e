"""The one exception of this package."""


class TrainingError(Exception):
    """Settings that cannot be meant, or gradients that cannot be trained with; one line that says where."""
