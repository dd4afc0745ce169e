"""Boolean expressions of Liberty as Python: `!`, postfix `'`, `*` `&` or a blank for AND, `+` `|` for OR, `^`."""

import re
from functools import lru_cache

TOKEN = re.compile(r"[A-Za-z_]\w*(?:\[\d+\])?|[01]|[!'*&+|^()]")


def names(text):
    """The pins of an expression, in the order in which they come."""
    return tuple(dict.fromkeys(token for token in TOKEN.findall(text) if re.match(r"[A-Za-z_]", token)))


class Parser:
    """Recursive descent; ^ binds more strongly than AND, and AND more than OR, as Liberty has it."""

    def __init__(self, text, rename):
        self.tokens, self.rename, self.at = TOKEN.findall(text), rename, 0

    def next(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def either(self):
        made = self.both()
        while self.next() in ("+", "|"):
            self.take()
            made = f"({made} | {self.both()})"
        return made

    def both(self):
        made = self.odd()
        while self.next() not in (None, "+", "|", ")", "^"):
            if self.next() in ("*", "&"):
                self.take()
            made = f"({made} & {self.odd()})"
        return made

    def odd(self):
        made = self.term()
        while self.next() == "^":
            self.take()
            made = f"({made} ^ {self.term()})"
        return made

    def term(self):
        token = self.take()
        if token == "!":
            made = f"(1 ^ {self.term()})"
        elif token == "(":
            made = self.either()
            self.take()
        else:
            made = token if token in "01" else self.rename[token]
        while self.next() == "'":
            self.take()
            made = f"(1 ^ {made})"
        return made


@lru_cache(maxsize=None)
def template(text):
    """An expression of Python with a {} for each of names(text), which come by keyword."""
    return Parser(text, {name: "{" + f"p{i}" + "}" for i, name in enumerate(names(text))}).either()


def python(text, nets):
    """The expression of Python with `nets` in the place of pins; a net is a name, "0" or "1"."""
    return template(text).format(**{f"p{i}": nets[name] for i, name in enumerate(names(text))})


def compiled(text, order):
    """A function of the bits of the pins in `order`."""
    arguments = {name: f"a{i}" for i, name in enumerate(order)}
    return eval(f"lambda {', '.join(arguments.values())}: {python(text, arguments)}")  # of tokens of TOKEN alone
