"""Figures to search for, such as asc.allreduce_ps or max:asc.cosine, in the report of a run."""

from dataclasses import dataclass

from oscar_summary import command


@dataclass(frozen=True)
class Figure:
    """`method`: its name; `path`: keys in its report, like step.step_ps; `largest`: whether more is better."""

    method: str
    path: tuple
    largest: bool

    @property
    def name(self):
        return ".".join((self.method, *self.path))

    def of(self, report):
        """Its value in a report. InputError: there is no such number."""
        methods = {method["name"]: method for method in report["methods"]}
        if self.method not in methods:
            raise command.InputError(f"{self.name}: no method {self.method}; there are {', '.join(methods)}")
        value = methods[self.method]
        for key in self.path:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            numbers = [key for key, found in methods[self.method].items() if isinstance(found, (int, float))]
            raise command.InputError(
                f"{self.name}: is no number of the report; choose one of {', '.join(numbers[:8])}, ..."
            )
        return value


def error_of(report, method):
    """The relative L2 error of a method of the report; None where it has none."""
    return next(each["relative_l2_error"] for each in report["methods"] if each["name"] == method)


def read(text):
    """One figure, or two that are separated by a comma; the least is best, unless max: stands before it.

    InputError: more than two, or a figure without method."""
    figures = []
    for part in text.split(","):
        way, _, rest = part.strip().rpartition(":")
        method, _, path = rest.partition(".")
        if way not in ("", "min", "max") or not method or not path:
            raise command.InputError(f"--figure {part}: write METHOD.FIGURE, like asc.allreduce_ps or max:asc.cosine")
        figures.append(Figure(method, tuple(path.split(".")), way == "max"))
    if len(figures) > 2:
        raise command.InputError(f"--figure {text}: name one figure, or two for their Pareto front")
    return figures
