"""docs/parameters.md has every key that `oscar-sim describe --json` names, with an anchor that leads to it,
its default and its range."""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release")) / "oscar-sim"
sys.path.insert(0, str(ROOT / "python"))
from oscar_docs import parameters  # noqa: E402

FAMILIES = {
    "link": {
        "key": "network.link",
        "meaning": "a cable",
        "type": "map",
        "parameters": [
            {
                "key": "rate",
                "meaning": "bits|s of *x* or `a_b`",
                "default": "4Gbps",
                "min": "1Gbps",
                "max": "8Gbps",
                "type": "bandwidth",
            }
        ],
    },
    "plan": {
        "key": "plan",
        "meaning": "an order",
        "type": "kind",
        "kinds": [
            {
                "name": "one",
                "meaning": "the first",
                "parameters": [
                    {"key": "size", "meaning": "values", "default": 2.0, "min": 1.0, "max": 4.0, "type": "number"}
                ],
            },
            {
                "name": "two",
                "meaning": "the second",
                "parameters": [
                    {"key": "size", "meaning": "values", "default": 2.0, "min": 1.0, "max": 4.0, "type": "number"}
                ],
            },
            {
                "name": "three",
                "meaning": "the third",
                "parameters": [
                    {"key": "size", "meaning": "words", "default": None, "type": "number", "nullable": True}
                ],
            },
        ],
    },
}


def family(name, **other):
    return {"family": name, "key": "", "meaning": name, "type": "map", "parameters": [], **other}


def page_of(*experiment, families=()):
    """The page of the families above, of others, and of an experiment with these parameters."""
    files = [family("experiment", parameters=list(experiment))] + [
        family(name) for name in ("traffic", "prediction", "compressor", "generator")
    ]
    return parameters.page(
        [
            *files,
            *({"family": name, **of} for name, of in FAMILIES.items()),
            *families,
            {"family": "report", "parts": []},
        ]
    )


def rows(text):
    """Anchor -> cells of its row."""
    found = re.finditer(r'^\| <a id="([^"]+)"></a>(.*) \|$', text, re.MULTILINE)
    return {row[1]: row[2].split(" | ") for row in found}


class Page(unittest.TestCase):
    def test_a_row_has_key_meaning_default_and_range_and_its_key_leads_to_itself(self):
        self.assertEqual(
            rows(page_of())["network.link.rate"],
            ["[`rate`](#network.link.rate)", r"bits\|s of \*x\* or `a_b`", "4Gbps", "1Gbps to 8Gbps"],
        )

    def test_a_value_that_is_a_familys_leads_to_its_section(self):
        text = page_of(
            {
                "key": "other",
                "meaning": "changes",
                "default": {},
                "type": "map",
                "parameters": FAMILIES["link"]["parameters"],
            }
        )
        self.assertEqual(rows(text)["other"], ["[`other`](#other)", "changes: [link](#network.link)", "", "map"])
        self.assertNotIn("other.rate", rows(text))

    def test_a_value_with_some_of_a_familys_parameters_leads_to_its_section_too(self):
        some = [{"key": key, "meaning": key, "default": 1, "type": "number"} for key in ("a", "b")]
        rest = {"key": "c", "meaning": "c", "default": 1, "type": "number"}
        value = {"key": "other", "meaning": "changes", "default": {}, "type": "map"}
        whole = family("whole", key="whole", parameters=[*some, rest])
        larger = family("larger", key="larger", parameters=[*some, rest, {**rest, "key": "d"}])
        for parameters_of_it, leads in ((some, True), (some[:1], False), ([*some, {**rest, "default": 2}], False)):
            found = rows(page_of({**value, "parameters": parameters_of_it}, families=(larger, whole)))
            self.assertEqual(found["other"][1], "changes: [whole](#whole)" if leads else "changes")
            self.assertEqual("other.a" in found, not leads)

    def test_a_map_and_a_list_that_are_no_familys_have_their_own_rows_below(self):
        entry = {"type": "map", "parameters": [{"key": "a", "meaning": "b", "default": False, "type": "boolean"}]}
        text = page_of({"key": "list", "meaning": "c", "default": [], "type": "list", "entries": entry})
        self.assertEqual(rows(text)["list"], ["[`list[]`](#list)", "c", "[]", "list of maps"])
        self.assertEqual(rows(text)["list.a"], ["[`list[].a`](#list.a)", "b", "false", "true or false"])

    def test_choices_are_below_their_meaning(self):
        choices = [{"name": "x", "meaning": "one"}, {"name": "y", "meaning": "other"}]
        text = page_of({"key": "c", "meaning": "which", "default": "x", "type": "choice", "choices": choices})
        self.assertEqual(rows(text)["c"][1:], ["which<br>`x`: one<br>`y`: other", "x", "one of these"])

    def test_kinds_name_the_parameters_that_an_earlier_one_has_and_give_those_that_differ_an_anchor_of_their_own(self):
        found = rows(page_of())
        self.assertEqual(found["plan.one"][1], "the first")
        self.assertEqual(found["plan.size"][1:], ["values", "2", "1 to 4"])
        self.assertEqual(found["plan.two"][1], "the second. Also [`size`](#plan.size)")
        self.assertEqual(found["plan.three.size"][1:], ["words", "none", "number or null"])

    def test_two_keys_with_one_anchor_are_refused(self):
        twice = {"key": "a", "meaning": "", "default": 1, "type": "number"}
        with self.assertRaisesRegex(ValueError, "two keys have the anchor a"):
            page_of(twice, twice)


PREFIXES = {
    "traffic": "traffic:",
    "grid": "traffic:topology.",
    "router": "traffic:router.",
    "pattern": "traffic:traffic.pattern.",
    "prediction": "prediction:",
    "predictor": "prediction:predictor.",
    "compressor": "compressor:",
    "generator": "generator:",
    "experiment": "",
}


def keys_below(value):
    """Dotted keys of all parameters in a value, without brackets;
    those of kinds with the kind before them as (kind, key)."""
    while "entries" in value:
        value = value["entries"]
    for parameter in value.get("parameters", []):
        yield parameter["key"]
        yield from (f"{parameter['key']}.{key}" for key in keys_below(parameter))


class Shipped(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = subprocess.run([str(PROGRAM), "describe", "--json"], check=True, capture_output=True, text=True)
        cls.described = done.stdout
        described = {one["family"]: one for one in json.loads(done.stdout)}
        cls.methods = described.pop("method")  # codecs, compressors and published methods, which the row of methods has
        cls.families = [one for name, one in described.items() if name != "report"]
        text = (ROOT / "docs/parameters.md").read_text(encoding="utf-8")
        cls.anchors = set(re.findall(r'<a id="([^"]+)"></a>', text))
        cls.rows = rows(text)

    def leads_to(self, anchor):
        """Whether a reader finds the key: at its own anchor, or in the section that the row of a part of it names."""
        if anchor in self.anchors:
            return True
        parts = anchor.split(".")
        for end in range(len(parts) - 1, 0, -1):
            row = self.rows.get(".".join(parts[:end]))
            section = row and re.search(r"\]\(#([^)]+)\)$", row[1])
            if section:
                return f"{section[1]}.{'.'.join(parts[end:])}" in self.anchors
        return False

    def test_every_key_of_every_family_has_an_anchor(self):
        missing = []
        for of in self.families:
            prefix = PREFIXES.get(of["family"], of["key"].replace("[]", "") + ".")
            missing += [prefix + key for key in keys_below(of) if not self.leads_to(prefix + key)]
            for kind in of.get("kinds", []):
                missing += [prefix + kind["name"]] * (prefix + kind["name"] not in self.anchors)
                missing += [
                    f"{prefix}{kind['name']}.{key}"
                    for key in keys_below(kind)
                    if not (self.leads_to(prefix + key) or self.leads_to(f"{prefix}{kind['name']}.{key}"))
                ]
        self.assertEqual(missing, [])
        self.assertIn("network.link.buffer", self.anchors)

    def test_the_row_of_methods_names_all_of_them(self):
        page = parameters.page(json.loads(self.described))
        made = re.search(r"^\| \[`methods\[\]`\]\(#methods\) \| .*$", page, re.MULTILINE)[0]
        for kind in self.methods["kinds"]:
            self.assertIn(f"`{kind['name']}`: ", made)
        self.assertIn("`oscar_hw`: OSCAR-HW", made)

    def test_what_a_row_says_is_what_the_program_says_of_one_key(self):
        done = subprocess.run(
            [str(PROGRAM), "describe", "link"],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | {"COLUMNS": "400"},
        )
        for line in done.stdout.splitlines()[1:]:
            key, default, legal, meaning = re.split(r"  +", line)
            self.assertEqual(self.rows[f"network.link.{key}"][1:], [meaning.replace("*", r"\*"), default, legal])

    def test_no_line_is_wider_than_a_screen_but_those_of_tables(self):
        text = (ROOT / "docs/parameters.md").read_text(encoding="utf-8")
        self.assertNotIn("```", text)
        self.assertEqual([line for line in text.splitlines() if len(line) > 145 and not line.startswith("|")], [])


if __name__ == "__main__":
    unittest.main()
