"""The README.md of each room of models and sim: the rooms that it includes and that include it, and its files."""

import re

MARK = "files"
HOMES = ("models", "sim")
INCLUDE = re.compile(r'^\s*#\s*include\s*"((?:models|sim)/[^"]+)"', re.MULTILINE)
COMMENT = re.compile(r"\A(?://[^\n]*\n)+")
SENTENCE_END = re.compile(r"(?<=\.)\s|$")


def rooms(root):
    """The rooms, as paths relative to `root`: folders of models and sim that hold sources."""
    return [
        f"{home}/{folder.name}"
        for home in HOMES
        for folder in sorted((root / home).iterdir())
        if folder.is_dir() and sources(folder)
    ]


def sources(folder):
    """The C++ files in `folder` and below it, in order."""
    return sorted(file for file in folder.rglob("*") if file.suffix in (".hpp", ".cpp"))


def first_sentence(text):
    """Of the comment at the begin of a file, without its full stop; empty if there is none."""
    comment = COMMENT.match(text)
    words = " ".join(line.removeprefix("//").strip() for line in comment[0].splitlines()) if comment else ""
    return words[: SENTENCE_END.search(words).start()].rstrip(".")


def room_of(path):
    """The room of a file, like models/codec of models/codec/bits/vector.hpp."""
    return "/".join(path.split("/")[:2])


def included(root):
    """{room: the rooms that it includes}."""
    return {
        room: {
            room_of(path) for file in sources(root / room) for path in INCLUDE.findall(file.read_text(encoding="utf-8"))
        }
        - {room}
        for room in rooms(root)
    }


def described(root, room):
    """[(path inside the room, first sentence)] of its headers, and of sources without one that say what they are."""
    files = []
    for file in sources(root / room):
        what = first_sentence(file.read_text(encoding="utf-8"))
        if file.suffix == ".hpp" or what and not file.with_suffix(".hpp").exists():
            files.append((file.relative_to(root / room).as_posix(), what))
    return sorted(files, key=lambda entry: (entry[0].count("/") > 0, entry[0]))


def names(rooms_named):
    return ", ".join(f"`{room}`" for room in sorted(rooms_named)) or "no other room"


def files_block(root, room, graph):
    """Markdown of what is generated: the two lists of rooms, and the table of files."""
    users = {other for other, below in graph.items() if room in below}
    lines = [
        f"Includes {names(graph[room])}. Is included by {names(users)}.",
        "",
        "| file | what it holds |",
        "| --- | --- |",
    ]
    lines += [f"| [`{path}`]({path}) | {what.replace('|', chr(92) + '|')} |" for path, what in described(root, room)]
    return "\n".join(lines)


def blocks(root):
    """{README of a room: what is generated in it}."""
    graph = included(root)
    return {f"{room}/README.md": files_block(root, room, graph) for room in graph}
