"""The tables of docs/parameters.md of `oscar-sim describe --json`: one for each family, and an anchor for each key.

The anchor of a key of an experiment is the key itself, without the brackets of lists: `network.link.buffer`,
`nodes.start_delay`. Those of other files begin with the file's family: `traffic:router.vcs`. The parameters of a kind
are keys beside `kind`: `collective.issue`; one that differs from kind to kind has the kind in its anchor, too.
"""

import dataclasses
import re

ROOTS = ("experiment", "traffic", "prediction")  # families that are whole files
ELSEWHERE = ("report", "method")  # has a page of its own; lists codecs and compressors once more
HEADINGS = {
    "experiment": "Experiments",
    "traffic": "Traffic",
    "prediction": "Predictions",
    "compressor": "Compressors",
    "generator": "Generated layers",
}
PREFIXES = {
    "traffic": "traffic:",
    "grid": "traffic:",
    "router": "traffic:",
    "pattern": "traffic:",
    "prediction": "prediction:",
    "predictor": "prediction:",
    "compressor": "compressor:",
    "generator": "generator:",
}  # of anchors; none: the key is one of an experiment
HEAD = "| key | meaning | default | range |\n| --- | --- | --- | --- |"


def page(families):
    """What is generated of the page, of the list that `oscar-sim describe --json` prints."""
    named = {family["family"]: family for family in families if family["family"] not in ELSEWHERE}
    pages = _Page(named)
    return f"{_contents(named)}\n\n" + "\n".join(pages.chapter(root) for root in HEADINGS).rstrip()


def _contents(named):
    """The list of families, each with a link."""
    rows = [
        f"| [`{name}`](#{_anchor_of_family(family)}) | {_code(family['key'])} | {_cell(family['meaning'])} |"
        for name, family in named.items()
    ]
    return "\n".join(["| family | key | meaning |", "| --- | --- | --- |", *rows])


def _place(family):
    """(prefix of the anchors, key) of a family: ("", "network.link"), ("traffic:", "router")."""
    return PREFIXES.get(family["family"], ""), "" if family["family"] in HEADINGS else family["key"]


def _anchor_of_family(family):
    """That of its key, or of its heading where it has none."""
    prefix, key = _place(family)
    return prefix + _bare(key) if key else HEADINGS[family["family"]].lower().replace(" ", "-")


def _bare(key):
    return key.replace("[]", "")


def _code(text):
    return f"`{text}`" if text else ""


def _cell(text):
    """Text of the program in a cell: what Markdown would read as marks is escaped, but for code in backquotes."""
    return "`".join(
        re.sub(r"([|*_<\[])", r"\\\1", part) if number % 2 == 0 else part for number, part in enumerate(text.split("`"))
    )


@dataclasses.dataclass(frozen=True)
class _Row:
    """A parameter, or what stands below it: its key as it is shown and the cells beside it."""

    key: str
    meaning: str
    default: str
    legal: str


class _Page:
    """Families as sections; one that is described elsewhere on the page becomes a link to its section."""

    def __init__(self, named):
        self._named = named
        self._sections = {_anchor_of_family(family) for family in named.values()}
        self._anchors = set()  # which are used

    def chapter(self, root):
        """The section of a file, and those of the families that its keys have."""
        parts = [f"## {HEADINGS[root]}\n", self._section(self._named[root])]
        for name in self._members(root):
            parts += [f"### {name}\n", self._section(self._named[name])]
        return "\n".join(parts)

    def _members(self, root):
        """The other families of a chapter."""
        prefix = _place(self._named[root])[0]
        return [name for name, family in self._named.items() if name not in HEADINGS and _place(family)[0] == prefix]

    def _section(self, family):
        prefix, key = _place(family)
        intro = f"`{key}`: {_cell(family['meaning'])}." if key else f"{_cell(family['meaning'])}."
        command = f"`oscar-sim describe {family['family']}`"
        base = prefix + _bare(key)
        anchor = self._anchored(_anchor_of_family(family))  # a heading has its own
        rows = self._kind_rows(family, base) if "kinds" in family else self._parameter_rows(family, base)
        return f"{anchor if key else ''}{intro[0].upper()}{intro[1:]}\n{command}\n\n{HEAD}\n" + "\n".join(rows) + "\n"

    def _anchored(self, anchor):
        """The HTML of an anchor that nothing else on the page has. ValueError: something has it."""
        if anchor in self._anchors:
            raise ValueError(f"two keys have the anchor {anchor}")
        self._anchors.add(anchor)
        return f'<a id="{anchor}"></a>'

    def _parameter_rows(self, family, base):
        return [
            self._line(row, self._join(base, row.key)) for row in self._flat(family["parameters"], base, "", family)
        ]

    @staticmethod
    def _join(base, key):
        bare = _bare(key)
        return f"{base}.{bare}" if base and not base.endswith(":") else base + bare

    def _line(self, row, anchor):
        """The row; its key leads to itself, or to the section of the family of this key."""
        return (
            f"| {'' if anchor in self._sections else self._anchored(anchor)}[`{row.key}`](#{anchor}) | {row.meaning} | "
            f"{row.default} | {row.legal} |"
        )

    def _flat(self, parameters, base, prefix, within):
        """One _Row for each parameter, depth first; `prefix` is the part of their keys below `base`."""
        rows = []
        for parameter in parameters:
            key = prefix + parameter["key"]
            value, brackets = _innermost(parameter)
            family = self._family_of(value, self._join(base, key), within)
            rows.append(
                _Row(
                    key + brackets,
                    _meaning(parameter, value, family),
                    _default(parameter.get("default")),
                    _legal(parameter, family),
                )
            )
            if value.get("parameters") and not (family and "kinds" not in family):
                rows += self._flat(value["parameters"], base, key + brackets + ".", within)
        return rows

    def _family_of(self, value, anchor, within):
        """The family whose section describes the value, or more than it; of several the one of its key, else the one
        that describes least besides."""
        part = "kinds" if value.get("kinds") else "parameters"
        if not value.get(part):
            return None
        found = [
            family
            for family in self._named.values()
            if family is not within
            and family["family"] not in ROOTS
            and ("kinds" in family) == (part == "kinds")
            and (family[part] == value[part] or part == "parameters" and _is_part(value[part], family[part]))
        ]
        found.sort(key=lambda family: len(family[part]))
        return next((family for family in found if _anchor_of_family(family) == anchor), found[0] if found else None)

    def _kind_rows(self, family, base):
        """A row for each kind with the parameters that no earlier kind has; it names those that one has."""
        known, lines = {}, []  # (key, row) -> anchor
        kinds = {self._join(base, kind["name"]) for kind in family["kinds"]}
        for kind in family["kinds"]:
            rows = self._flat(kind["parameters"], base, "", family)
            shared = ", ".join(f"[`{row.key}`](#{known[row]})" for row in rows if row in known)
            name = self._join(base, kind["name"])
            lines.append(
                f"| {self._anchored(name)}[**`{kind['name']}`**](#{name}) | "
                f"{_cell(kind['meaning'])}{f'. Also {shared}' if shared else ''} | | kind |"
            )
            for row in rows:
                if row not in known:
                    anchor = self._join(base, row.key)
                    known[row] = anchor if anchor not in self._anchors | kinds else self._join(name, row.key)
                    lines.append(self._line(row, known[row]))
        return lines


def _is_part(some, parameters):
    """Whether `some` are several of the parameters; one alone may have come about by chance."""
    return len(some) > 1 and all(one in parameters for one in some)


def _innermost(parameter):
    """The value of a parameter without its lists, and a pair of brackets for each of them."""
    value, brackets = parameter, ""
    while "entries" in value:
        value, brackets = value["entries"], brackets + "[]"
    return value, brackets


def _meaning(parameter, value, family):
    """The meaning, and below it the choices or kinds that no section describes."""
    text = _cell(parameter["meaning"])
    if family:
        words = f"[{family['family']}](#{_anchor_of_family(family)})"
        return f"{text}: {words}" if text else words
    named = [*value.get("choices", []), *value.get("kinds", [])]
    return "<br>".join([text, *(f"`{one['name']}`: {_cell(one['meaning'])}" for one in named)])


def _default(value):
    if value is None:
        return "none"
    if isinstance(value, dict):
        return f"`{value['kind']}`" if "kind" in value else ""
    if isinstance(value, list):
        return "[" + ", ".join(filter(None, map(_default, value))) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return _cell(_number(value) if isinstance(value, float) else str(value))


def _number(value):
    """As short as the program writes it."""
    return repr(value).removesuffix(".0")


SEVERAL = {
    "text": "texts",
    "whole number": "whole numbers",
    "number": "numbers",
    "time": "times",
    "bandwidth": "bandwidths",
    "frequency": "frequencies",
    "area": "areas",
    "energy": "energies",
    "power": "powers",
    "energy per bit": "energies per bit",
    "map": "maps",
    "kind": "kinds",
    "choice": "choices",
    "list": "lists",
}


def _legal(parameter, family):
    """The range, or the type where there is none."""
    kind = parameter["type"]
    if "min" in parameter:
        bounds = [
            _number(bound) if isinstance(bound, float) else str(bound) for bound in (parameter["min"], parameter["max"])
        ]
        text = " to ".join(bounds)
    elif kind == "list" and parameter["entries"]["type"] != "list":
        entry = parameter["entries"]["type"]
        text = f"list of {SEVERAL.get(entry, entry)}"
    else:
        text = {
            "boolean": "true or false",
            "choice": "one of these",
            "kind": "a kind" if family else "one of these",
        }.get(kind, kind)
    return _cell(text) + (" or null" if parameter.get("nullable") else "")
