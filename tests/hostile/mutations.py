"""Hostile variants of files: of bytes, of words, of the structure of JSON and YAML, and of databases.

A mutation is a function of (random.Random, content). The same seed gives the same variant.
"""

import copy
import itertools
import json
import re
import sqlite3

WORDS = [
    "NaN", "inf", "-inf", "1e999", "-1", "0", "1e-320", "99999999999999999999", "18446744073709551616", "0x10", "1_0",
    "null", "true", "~", "''", '""', "[]", "{}", "[[]]", "{a: b}", "\x00", "\x1b[2J", "\u202e", "é", "=1+1", "../..",
    "/dev/zero", "x" * 5000, "%s%n", "&a [*a]", "!!python/object:os.system {}", "</script><script>", "9" * 400,
]  # fmt: skip
VALUES = [
    None, True, False, 0, -1, 1.5, -0.0, 1e308, 5e-324, 2**63, 2**64, -(2**70), "", "x", "NaN", "\x00", "é" * 3000,
    [], {}, [[]], [None], [0, "x", {}], {"": 0}, {"name": 3}, {"a": {"b": []}},
]  # fmt: skip
DEPTHS = (50, 101, 1_000, 20_000, 200_000)
MOST = 2 << 20  # bytes of a variant
MOST_PLACES = 20_000  # among which one is chosen to be changed


# Bytes.


def flip(random, data):
    data = bytearray(data or b"\0")
    for _ in range(random.choice((1, 1, 2, 8))):
        data[random.randrange(len(data))] = random.choice((0, 0xFF, 0x80, 0x7B, 0x0A, random.randrange(256)))
    return bytes(data)


def cut(random, data):
    return data[: random.randrange(len(data) + 1)]


def lose(random, data):
    begin = random.randrange(len(data) + 1)
    return data[:begin] + data[begin + random.choice((1, 4, 40, 400)) :]


def repeat(random, data):
    begin = random.randrange(len(data) + 1)
    part = data[begin : begin + random.choice((1, 10, 100, 1000))]
    return (data[:begin] + part * random.choice((2, 3, 20, 2000)) + data[begin:])[:MOST]


def splice(random, data):
    return data[: random.randrange(len(data) + 1)] + data[random.randrange(len(data) + 1) :]


def noise(random, data):
    begin = random.randrange(len(data) + 1)
    return data[:begin] + random.randbytes(random.choice((1, 7, 64, 5000))) + data[begin:]


def grow(random, data):
    return data + random.choice((b"\0", b" ", b"\n", b"a", b"[")) * random.choice((1_000, 30_000, 30_000, 1_500_000))


BYTES = (flip, flip, cut, lose, repeat, splice, noise, grow)


# Words and lines.


WORD = re.compile(r"[\w.+-]{1,40}")
LOOKED_AT = 20_000  # characters of a text, from a random place on: variants of variants can be long


def _words(random, text):
    """(begin, end) of words near a random place."""
    begin = random.randrange(max(1, len(text) - LOOKED_AT))
    return [match.span() for match in WORD.finditer(text, begin, begin + LOOKED_AT)] or [(0, 0)]


def reword(random, text):
    begin, end = random.choice(_words(random, text))
    return text[:begin] + random.choice(WORDS) + text[end:]


def exchange(random, text):
    words = _words(random, text)
    (a, b), (c, d) = sorted((random.choice(words), random.choice(words)))
    return text if c < b else text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def lines(random, text):
    rows = text.split("\n")
    at = random.randrange(len(rows))
    match random.randrange(4):
        case 0:
            del rows[at]
        case 1:
            rows[at:at] = [rows[at]] * min(random.choice((1, 50, 3000)), MOST // (len(rows[at]) + 1))
        case 2:
            rows.insert(random.randrange(len(rows)), rows.pop(at))
        case 3:
            rows[at] = random.choice(("  ", "\t", "")) + rows[at].strip()
    return "\n".join(rows)[:MOST]


def deepen(random, text):
    begin, end = random.choice(_words(random, text))
    opening, closing = random.choice(
        (("[", "]"), ("{a: ", "}"), ('{"a":', "}"), ("(", ")"), ("<x>", "</x>"), ("- ", ""))
    )
    depth = random.choice(DEPTHS)
    return (text[:begin] + opening * depth + closing * depth + text[end:])[:MOST]


WORDWISE = (reword, reword, reword, exchange, lines, lines, deepen)


# Values within each other, as JSON and YAML have them.


def _places(value):
    """(container, key) of every value in `value`."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in pairs:
        yield value, key
        yield from _places(part)


def _deep(random, depth):
    value = None
    for _ in range(depth):
        value = random.choice(([value], {"a": value}))
    return value


def _times(random, part, counts):
    """How often a part may stand in a variant: fewer times where it is large."""
    return min(random.choice(counts), 1 + 300_000 // len(json.dumps(part)))


def restructure(random, value):
    """Changes a few places of `value`, a list or map, in place."""
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        places = list(itertools.islice(_places(value), MOST_PLACES))
        if not places:
            return value
        within, key = random.choice(places)
        kind = random.randrange(8)
        if kind == 0:
            del within[key]
        elif kind == 1 and isinstance(within, dict):
            within[random.choice(("", "x", "name", "kind", "é", "a.b", "-"))] = within.pop(key)
        elif kind == 2:
            other, at = random.choice(places)
            within[key] = copy.deepcopy(other[at])
        elif kind == 3:
            within[key] = [within[key]] * _times(random, within[key], (0, 2, 70, 3000))
            return value
        elif kind == 4:
            times = _times(random, within[key], (1, 40, 2000))
            within[key] = {f"k{i}": within[key] for i in range(times)}
            return value
        elif kind == 5:
            within[key] = _deep(random, random.choice((20, 99, 150)))
        else:
            within[key] = copy.deepcopy(random.choice(VALUES))
    return value


def reset(random, value):
    """Restructured JSON as text; now and then with what only a careless writer makes."""
    text = json.dumps(restructure(random, value), ensure_ascii=random.random() < 0.5)[:MOST]
    return text.replace("null", random.choice(WORDS), 1) if random.random() < 0.1 else text


# Databases.

REPLACED = "DROP VIEW {view}; CREATE VIEW {view} AS "
STATEMENTS = [
    "DROP TABLE {table}", "DROP VIEW {view}", "DELETE FROM {table}", "ALTER TABLE {table} RENAME TO other",
    "ALTER TABLE {table} DROP COLUMN {column}", "ALTER TABLE plan ADD COLUMN method DEFAULT {value}",
    "ALTER TABLE plan ADD COLUMN position2 DEFAULT {value}", "INSERT INTO plan SELECT * FROM plan",
    "UPDATE {table} SET {column} = NULL", "UPDATE {table} SET {column} = {value}",
    "UPDATE {table} SET {column} = {value}", "UPDATE OR IGNORE {table} SET {column} = {value}",
    "UPDATE metrics SET value = {value} WHERE method_position = 1", "UPDATE metrics SET method = {value}",
    "UPDATE results SET status = {value}", "UPDATE results SET report = {value}",
    "UPDATE plan SET position = -position", "PRAGMA encoding = 'UTF-16'",
    "PRAGMA user_version = 7", "PRAGMA application_id = 3",
    "DROP VIEW {view}; CREATE TABLE {view} (position, key, method, status, error)",
    "CREATE TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM results; END",
    REPLACED + "SELECT 1", REPLACED + "SELECT * FROM {view}",
    REPLACED + "WITH RECURSIVE c(position) AS (SELECT 1 UNION ALL SELECT position + 1 FROM c) "
    "SELECT position, 'k' AS key, {value} AS method, 'done' AS status, '' AS error FROM c",
    REPLACED + "SELECT position, key, {value} AS method, {value} AS status FROM plan",
    REPLACED + "SELECT a.position, b.key, 'x' AS method FROM plan a, plan b, metrics c, metrics d, metrics e",
    REPLACED + "SELECT position, load_extension('x') AS key, readfile('/etc/passwd') AS method FROM plan",
]  # fmt: skip
CELLS = [
    "x'fffe41'", "CAST(x'c328' AS TEXT)", "''", "'x'", "-1", "9e999", "1e308", "9223372036854775807", "'</script>'",
    "zeroblob(1000000)", "char(27)", "char(0, 65)", "NULL", "'[' || hex(zeroblob(30000))", "'done'", "'failed'", "3.5",
]  # fmt: skip
COLUMNS = {
    "results": "status error report program key",
    "metrics": "method metric value method_position",
    "plan": "key position",
}


def alter(random, file):
    """Changes the database `file` by SQL as far as SQLite lets it."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")
    for _ in range(random.choice((1, 1, 2, 4))):
        table = random.choice(list(COLUMNS))
        names = dict(
            table=table,
            view=random.choice(("points", "methods")),
            column=random.choice(COLUMNS[table].split()),
            value=random.choice(CELLS),
        )
        try:
            connection.executescript(random.choice(STATEMENTS).format(**names))
        except sqlite3.Error:
            pass  # not every statement fits every database
    connection.close()
