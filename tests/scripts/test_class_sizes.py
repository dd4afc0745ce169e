"""A class is about a page: at most about 20 functions and 12 members, or its header says why it has more."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS, MEMBERS = 22, 13  # about 20 and 12
CLASS = re.compile(
    r"^(?P<doc>(?:///[^\n]*\n)*)(?:class|struct) (?P<name>\w+)(?: final)?(?:\s*:[^{;]*)?\s*\{", re.MULTILINE
)


def own_declarations(text, begin):
    """The declarations of the class whose body begins there, without what is inside of functions and nested types."""
    text = re.sub(r"//[^\n]*", "", text[begin:])
    depth, body = 1, ""
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth == 0:
            break
        if depth == 1:
            body += ";" if letter == "}" else letter
    return [part.strip() for part in re.sub(r"\b(public|private|protected):", "", body).split(";")]


def count(declarations):
    """Functions, and members, whose names end in an underscore."""
    declarations = [d for d in declarations if d and not d.startswith(("using", "friend"))]
    functions = sum(1 for d in declarations if re.search(r"\w\s*\(", d))
    members = sum(len(re.findall(r"\b\w+_\b", d.split("=")[0])) for d in declarations if "(" not in d.split("=")[0])
    return functions, members


def large_classes(text):
    """(name, functions, members, docstring) of each class in a header that is above the limits."""
    for found in CLASS.finditer(text):
        functions, members = count(own_declarations(text, found.end()))
        if functions > FUNCTIONS or members > MEMBERS:
            yield found["name"], functions, members, found["doc"]


class ClassSizes(unittest.TestCase):
    def test_a_class_above_the_limits_says_why(self):
        silent = [
            f"{file.relative_to(ROOT)}: {name} has {functions} functions and {members} members"
            for room in ("models", "sim")
            for file in sorted((ROOT / room).rglob("*.hpp"))
            for name, functions, members, doc in large_classes(file.read_text(encoding="utf-8"))
            if not re.search(r"more than (20|12)|(20|12),? for", re.sub(r"\s+///\s*|\s+", " ", doc))
        ]
        self.assertEqual(silent, [])

    def test_functions_and_members_are_counted(self):
        functions = "".join(f"    int f{i}(int x) const {{ return g({i}); }}\n" for i in range(23))
        members = "".join(f"    int m{i}_ = 0;\n" for i in range(14))
        text = (
            f"/// Doc.\nclass Big {{\npublic:\n{functions}}};\n/// Other.\nclass Wide {{\n{members}}};\n"
            "class Small { int f(); };\n"
        )
        self.assertEqual([c[:3] for c in large_classes(text)], [("Big", 23, 0), ("Wide", 0, 14)])


if __name__ == "__main__":
    unittest.main()
