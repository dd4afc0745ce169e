"""The cases of tests/validation/cases.yaml: what is expected, what oscar-sim says, and how far apart they are."""

from dataclasses import dataclass

import yaml

from oscar_validation import closed_forms, program
from oscar_validation.figures import figures

CASES = program.ROOT / "tests/validation/cases.yaml"
BOUNDS = ("at_most", "at_least")


@dataclass
class Row:
    """A line of the error table."""

    name: str
    expected: float
    ours: float
    tolerance: float = 0.0  # relative
    bound: str = ""  # one of BOUNDS, where expected is the most or the least that ours may be
    unit: str | None = None  # its own, where it is not the group's
    lacks: str = ""  # what the model lacks, where the row is known to miss its bar

    @property
    def error(self):
        """Relative, with sign."""
        return (self.ours - self.expected) / self.expected

    @property
    def within(self):
        if self.bound:
            return self.ours <= self.expected if self.bound == "at_most" else self.ours >= self.expected
        return abs(self.error) <= self.tolerance

    @property
    def as_known(self):
        """Within its bar, or outside for the reason that is given; a reason of a row within its bar is out of date."""
        return self.within != bool(self.lacks)


@dataclass
class Group:
    name: str
    source: str
    note: str
    unit: str
    rows: list


def by_label(value):
    """A figure alone has no label."""
    return value if isinstance(value, dict) else {None: value}


def expectations(case, figures_of_same_run):
    """What the case expects, by label or under None."""
    if "formula" in case:
        arguments = dict(case["formula"])
        return {None: getattr(closed_forms, arguments.pop("kind"))(**arguments)}
    if "parts" in case:
        return {None: sum(times * figure for times, figure in case["parts"])}
    if "against" in case:
        other = dict(case["against"])
        return {
            label: value / other.get("per", 1) + other.get("add", 0)
            for label, value in figures_of_same_run(other["figure"]).items()
        }
    return by_label(next(case[key] for key in ("expected", *BOUNDS) if key in case))


def rows(case, call):
    """A Row per expectation; call(command, config, overrides) runs oscar-sim."""

    def written(overrides):
        return call(case["command"], case["config"], overrides)

    def figure_of(name, report):
        return figures(case["command"], name, report, case.get("method"))

    report = written(case.get("set", []))
    ours = figure_of(case["figure"], report)
    if "over" in case:
        others = figure_of(case["figure"], written(case["over"]))
        ours = {label: value / others[label] for label, value in ours.items()}
    bound = next((key for key in BOUNDS if key in case), case.get("bound", ""))
    labels = case.get("labels", "{} B")
    return [
        Row(
            case["name"] + (", " + labels.format(label) if label is not None else ""),
            expected,
            ours[label] + case.get("add", 0),
            case.get("tolerance", 0.0),
            bound,
            case.get("unit"),
            case.get("lacks", ""),
        )
        for label, expected in expectations(case, lambda name: figure_of(name, report)).items()
    ]


def read(path=CASES):
    return yaml.safe_load(path.read_text(encoding="utf-8"))["groups"]


def run(groups, call, quick=False):
    """The groups with their rows; a group without a case to run is left out."""
    results = []
    for group in groups:
        chosen = [case for case in group["cases"] if not (quick and case.get("slow"))]
        if chosen:
            results.append(
                Group(
                    group["name"],
                    group["source"],
                    group.get("note", ""),
                    group["unit"],
                    [row for case in chosen for row in rows(case, call)],
                )
            )
    return results
