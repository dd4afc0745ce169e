"""What is synthesised: units.yaml beside the RTL, and the files that a module needs."""

import ast
import operator
import re
from dataclasses import dataclass
from hashlib import sha256

from oscar_summary import user_file
from oscar_summary.command import InputError

OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
}


@dataclass(frozen=True)
class Variant:
    unit: str
    name: str
    module: str
    what: str
    parameters: tuple  # ((name, value), ...)
    files: tuple
    symbols_per_cycle: float
    sram_bits: int
    activity: str  # of the recorded simulation, without .vcd
    technology: tuple  # ((key, value), ...) that name it in the part `technology` of an engine; empty where none is it

    @property
    def digest(self):
        """Of the sources and parameters."""
        made = sha256(repr((self.module, self.parameters)).encode())
        for file in self.files:
            made.update(file.read_bytes())
        return made.hexdigest()


def formula(text, values):
    """A whole number of an arithmetic expression over parameters. ValueError: it is none, or a large one."""
    if len(str(text)) > 200:
        raise ValueError(str(text)[:40])

    def value(node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return values[node.id]
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            left, right = value(node.left), value(node.right)
            if isinstance(node.op, ast.Pow) and not 0 <= right <= 64:
                raise ValueError(text)
            return OPERATORS[type(node.op)](left, right)
        raise ValueError(text)

    return value(ast.parse(str(text), mode="eval").body)


def sources(folder, module):
    """The files in `folder`, at any depth, that a module needs, packages first: files are named as what they hold."""
    files = {file.stem: file for file in sorted(folder.rglob("*.sv"))}
    if module not in files:
        raise InputError(f"{folder}: there is no {module}.sv; a module is in a file of its name")
    texts = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    words = {name: set(re.findall(r"[A-Za-z_]\w*", re.sub(r"//.*", "", text))) for name, text in texts.items()}
    needed, new = set(), {module}
    while new:
        needed |= new
        new = {name for at in new for name in words[at] if name in texts} - needed

    def rank(name):
        packages = {other for other in needed if re.search(rf"^\s*package\s+{other}\b", texts[other], re.MULTILINE)}
        return (name not in packages, sum(other in words[name] for other in packages), name)

    return tuple(files[name] for name in sorted(needed, key=rank))


def described(file):
    """What a YAML file says; InputError where it is no mapping."""
    said = user_file.yaml_in(file, "what docs/rtl.md describes")
    if not isinstance(said, dict):
        raise InputError(f"{file}: is no mapping of names; see docs/rtl.md")
    return said


def read(file):
    """All variants of all units, in the order of the file. InputError where a key is missing or of another kind."""
    try:
        return _variants(file)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{file}: lacks something of docs/rtl.md ({' '.join(str(error).split())})") from None


def _variants(file):
    made = []
    for unit, said in described(file)["units"].items():
        module = said.get("module", unit)
        for name, variant in said["variants"].items():
            parameters = variant.get("parameters", {})
            try:
                bits = formula(variant.get("sram_bits", said.get("sram_bits", 0)), parameters)
            except (KeyError, ValueError, SyntaxError) as error:
                raise InputError(
                    f"{file}: sram_bits of {unit} {name}: {error} is no arithmetic of parameters"
                ) from None
            made.append(
                Variant(
                    unit,
                    str(name),
                    module,
                    said["what"],
                    tuple(parameters.items()),
                    sources(file.parent, module),
                    variant.get("symbols_per_cycle", said.get("symbols_per_cycle", 0)),
                    bits,
                    variant.get("activity", ""),
                    tuple((said.get("technology", {}) | variant.get("technology", {})).items()),
                )
            )
    return made


def chosen(variants, names):
    """Those of the units named, or of `UNIT:VARIANT`; all without names."""
    known = {variant.unit for variant in variants} | {f"{variant.unit}:{variant.name}" for variant in variants}
    for name in names or ():
        if name not in known:
            units = ", ".join(dict.fromkeys(variant.unit for variant in variants))
            raise InputError(f"--unit {name}: no such unit; there are {units}")
    return [v for v in variants if not names or v.unit in names or f"{v.unit}:{v.name}" in names]
