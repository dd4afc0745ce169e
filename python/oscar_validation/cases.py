"""The cases of tests/validation/cases.yaml: what is expected, what oscar-sim says, and how far apart they are."""

from dataclasses import dataclass

import yaml

from oscar_validation import closed_forms, program

CASES = program.ROOT / "tests/validation/cases.yaml"


@dataclass
class Row:
    """A line of the error table."""

    name: str
    expected: float
    ours: float
    tolerance: float = 0.0  # relative
    bound: bool = False  # expected is the most that ours may be

    @property
    def error(self):
        """Relative, with sign."""
        return (self.ours - self.expected) / self.expected

    @property
    def within(self):
        return self.ours <= self.expected if self.bound else abs(self.error) <= self.tolerance


@dataclass
class Group:
    name: str
    source: str
    note: str
    unit: str
    rows: list


def figures(command, figure, written):
    """Figure of what oscar-sim wrote: per size for a prediction, under None for a report (of its first method)."""
    if command == "predict":
        return {row["size"]: row["time_ps"] / 1000 for row in written["predictions"]}
    if figure in written["host"]:
        return {None: written["host"][figure]}
    scale = {"allreduce_ns": 1e3, "allreduce_us": 1e6}[figure]
    return {None: written["methods"][0]["allreduce_ps"] / scale}


def expectations(case):
    """What the case expects, by size or under None."""
    if "formula" in case:
        arguments = dict(case["formula"])
        return {None: getattr(closed_forms, arguments.pop("kind"))(**arguments)}
    expected = case.get("at_most", case.get("expected"))
    return expected if isinstance(expected, dict) else {None: expected}


def rows(case, call):
    """A Row per expectation; call(command, config, overrides) runs oscar-sim."""
    def run(overrides):
        return figures(case["command"], case["figure"], call(case["command"], case["config"], overrides))

    ours = run(case.get("set", []))
    if "over" in case:
        others = run(case["over"])
        ours = {size: value / others[size] for size, value in ours.items()}
    return [Row(case["name"] + (f", {size} B" if size is not None else ""), expected, ours[size] + case.get("add", 0),
                case.get("tolerance", 0.0), "at_most" in case)
            for size, expected in expectations(case).items()]


def read(path=CASES):
    return yaml.safe_load(path.read_text(encoding="utf-8"))["groups"]


def run(groups, call, quick=False):
    """The groups with their rows; a group without a case to run is left out."""
    results = []
    for group in groups:
        chosen = [case for case in group["cases"] if not (quick and case.get("slow"))]
        if chosen:
            results.append(Group(group["name"], group["source"], group.get("note", ""), group["unit"],
                                 [row for case in chosen for row in rows(case, call)]))
    return results
