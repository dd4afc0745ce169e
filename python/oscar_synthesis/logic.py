"""Boolean expressions of Liberty as Python: `!`, postfix `'`, `*` `&` or a blank for AND, `+` `|` for OR, `^`.

What is evaluated is written here, of operators and of names made here; of the expression only its form is taken.
"""

import re
from functools import lru_cache

PIN = r"[A-Za-z_]\w*(?:\[\d+\])?"
TOKEN = re.compile(rf"\s*({PIN}|[01](?!\w)|[!'*&+|^()])")
DEEPEST = 32  # parentheses in each other; Python's parser takes 200, and a level here makes at most five


class NoExpression(ValueError):
    """A text that is no expression; says what is wrong with it."""


def tokens(text):
    """The tokens of a text. NoExpression: it holds something else."""
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        token = TOKEN.match(text, at)
        if not token:
            raise NoExpression(f"{text[at:].strip()[:20]!r} is no pin or operator")
        found.append(token[1])
        at = token.end()
    return found


def names(text):
    """The pins of an expression, in the order in which they come."""
    return tuple(dict.fromkeys(token for token in tokens(text) if re.match(r"[A-Za-z_]", token)))


class Parser:
    """Recursive descent; ^ binds more strongly than AND, and AND more than OR, as Liberty has it."""

    def __init__(self, text, rename):
        self.tokens, self.rename, self.at, self.depth = tokens(text), rename, 0, 0

    def whole(self):
        """The expression of Python. NoExpression: the text is none."""
        made = self.either()
        if self.next() is not None:
            raise NoExpression(f"{self.next()!r} stands where an operator is due")
        return made

    def next(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self):
        if self.next() is None:
            raise NoExpression("ends where a pin is due")
        self.at += 1
        return self.tokens[self.at - 1]

    def either(self):
        parts = [self.both()]
        while self.next() in ("+", "|"):
            self.take()
            parts.append(self.both())
        return joined(parts, "|")

    def both(self):
        parts = [self.odd()]
        while self.next() not in (None, "+", "|", ")", "^"):
            if self.next() in ("*", "&"):
                self.take()
            parts.append(self.odd())
        return joined(parts, "&")

    def odd(self):
        parts = [self.term()]
        while self.next() == "^":
            self.take()
            parts.append(self.term())
        return joined(parts, "^")

    def term(self):
        inverted = False
        while self.next() == "!":
            self.take()
            inverted = not inverted
        made = self.primary(self.take())
        while self.next() == "'":
            self.take()
            inverted = not inverted
        return f"(1 ^ {made})" if inverted else made

    def primary(self, token):
        if token == "(":
            return self.nested()
        if token in ("0", "1"):
            return token
        if token not in self.rename:
            raise NoExpression(f"{token!r} stands where a pin is due")
        return self.rename[token]

    def nested(self):
        self.depth += 1
        if self.depth > DEEPEST:
            raise NoExpression(f"has more than {DEEPEST} parentheses in each other")
        made = self.either()
        if self.next() != ")":
            raise NoExpression("has a parenthesis that is not closed")
        self.take()
        self.depth -= 1
        return made


def joined(parts, operator):
    return parts[0] if len(parts) == 1 else f"({f' {operator} '.join(parts)})"


@lru_cache(maxsize=None)
def template(text):
    """An expression of Python with a {} for each of names(text), which come by keyword. NoExpression."""
    return Parser(text, {name: "{" + f"p{i}" + "}" for i, name in enumerate(names(text))}).whole()


def python(text, nets):
    """The expression of Python with `nets` in the place of pins; a net is a name, "0" or "1"."""
    return template(text).format(**{f"p{i}": nets[name] for i, name in enumerate(names(text))})


def compiled(text, order):
    """A function of the bits of the pins in `order`."""
    arguments = {name: f"a{i}" for i, name in enumerate(order)}
    return eval(f"lambda {', '.join(arguments.values())}: {python(text, arguments)}")  # of the Parser's parts alone
