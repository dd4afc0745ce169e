"""Values of a YAML file with their place in it, so that every mistake is told as `file:line:column: key: what`."""

import difflib
import json

import yaml

from .error import TrainingError


def read(path):
    """The whole file as a Located value. TrainingError: it cannot be read, or is no YAML."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise TrainingError(f"{path}: is a pipe or a device; name a YAML file")
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), yaml.SafeLoader)
    except OSError as error:
        raise TrainingError(f"{path}: {error.strerror}; name a file that can be read") from None
    except UnicodeDecodeError as error:
        raise TrainingError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise TrainingError(
            f"{path}:{mark.line + 1}:{mark.column + 1}: no YAML: {error.problem or error.context}"
        ) from None
    except yaml.YAMLError as error:
        raise TrainingError(f"{path}: no YAML: {' '.join(str(error).split())}") from None
    if node is None:
        raise TrainingError(f"{path}:1:1: the file is empty; docs/training.md says what to write")
    return Located(path, node, "")


class Located:
    """A value, the file that it is in, and its key from the root on, with dots."""

    def __init__(self, file, node, key):
        self.file, self._node, self._key = file, node, key

    def fail(self, what):
        """TrainingError: `file:line:column: key: what`."""
        mark = self._node.start_mark
        raise TrainingError(
            f"{self.file}:{mark.line + 1}:{mark.column + 1}: {self._key + ': ' if self._key else ''}{what}"
        )

    def plain(self):
        """The value as Python's. TrainingError for what JSON has no word for, such as a date."""
        try:
            value = yaml.SafeLoader("").construct_object(self._node, deep=True)
            json.dumps(value)
        except (TypeError, ValueError, RecursionError, yaml.YAMLError):
            self.fail("only texts, numbers, lists and maps are known here; put a date into quotes")
        return value

    def map(self, example):
        """{key: Located}; `example` says how such a map is written."""
        if not isinstance(self._node, yaml.MappingNode):
            self._wanted("a map", example)
        yaml.SafeLoader("").flatten_mapping(self._node)  # `<<: *other`
        found = {}
        for key, value in self._node.value:
            name = Located(self.file, key, self._under(key.value if isinstance(key, yaml.ScalarNode) else "?"))
            if not isinstance(name.plain(), str):
                name.fail("a key must be a text")
            if key.value in found:
                name.fail("is there twice; remove one")
            found[key.value] = Located(self.file, value, self._under(key.value))
        return found

    def known(self, keys, required, example):
        """The map, whose keys must be among `keys`; each of `required` must be there."""
        found = self.map(example)
        for key, value in found.items():
            if key not in keys:
                value.fail(f"no such key{nearest(key, keys)}; known: {', '.join(keys)}")
        for key in required:
            if key not in found:
                self.fail(f"`{key}` is missing; write {example}")
        return found

    def list(self, example):
        """[Located], at least one."""
        if not isinstance(self._node, yaml.SequenceNode) or not self._node.value:
            self._wanted("a list", example)
        return [Located(self.file, node, self._key) for node in self._node.value]

    def text(self, example):
        value = self.plain()
        return value if isinstance(value, str) and value else self._wanted("a text", example)

    def file_name(self, example):
        """A text that can be the name of a file or folder: no path, not hidden, printable."""
        name = self.text(example)
        if "/" in name or name.startswith(".") or not name.isprintable() or len(name.encode()) > 200:
            self.fail(
                f"{name!r} names a file or folder of results: write it without /, leading dot and control characters, "
                "in 200 bytes at most"
            )
        return name

    def number(self, example, positive=False):
        """A finite number of at least 0, or `positive`. YAML takes 1e-3 for a text."""
        value = self.plain()
        try:
            number = float("nan") if isinstance(value, bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            number = float("nan")
        if not 0 <= number < float("inf") or (positive and number == 0):
            self._wanted(f"a number {'above' if positive else 'of at least'} 0", example)
        return number

    def seconds(self, example):
        """A time with its unit, read as the program reads one; in seconds."""
        import oscar_sim  # here, for files without a time are read where the package is not built

        value = self.plain()
        if value is None or isinstance(value, (bool, list, dict)):
            self._wanted("a time with its unit", example)
        try:
            return oscar_sim.seconds(str(value))
        except oscar_sim.ConfigError as error:
            self.fail(error)

    def whole(self, least, example):
        """A whole number from `least` to 2^31 - 1."""
        value = self.plain()
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**31:
            self._wanted(f"a whole number of at least {least}", example)
        return value

    def _wanted(self, what, example):
        value = self.plain()
        self.fail(f"{what} is wanted, not {'nothing' if value is None else repr(value)[:60]}; write {example}")

    def _under(self, key):
        return f"{self._key}.{key}" if self._key else key


def nearest(word, known):
    """ " (did you mean ...?)" where a known word is like it."""
    near = difflib.get_close_matches(word, known, 1, 0.5)
    return f" (did you mean {near[0]}?)" if near else ""
