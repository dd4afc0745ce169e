"""The recorded figures: CSV files and, for each library, a part of an experiment that the simulator reads."""

import csv
import io
import math
from decimal import Decimal

import yaml

from oscar_summary import files, records

from .technology import QUANTITIES

KEYS = ("unit", "variant", "library")
RAW = (
    "cells",
    "flip_flops",
    "area_sequential_um2",
    "area_combinational_um2",
    "area_um2",
    "gates",
    "period_ps",
    "period_registers_ps",
    "levels",
    "path_start",
    "path_end",
    "energy_pj_per_cycle",
    "leakage_uw",
    "activity",
    "symbols_per_cycle",
    "sram_bits",
)
ADDED = ("mhz", "period_derated_ps", "mhz_derated", "area_derated_um2", "energy_derated_pj", "sram_mm2", "sram_origin")
COLUMNS = (*KEYS, "node_nm", *RAW, *ADDED, "yosys", "opensta", "date")


def rounded(row):
    """As the row is read again, so that what follows from it is the same then."""
    return {key: float(records.text(value)) if isinstance(value, float) else value for key, value in row.items()}


def completed(row, technology):
    """A row with what follows from its raw figures."""
    sram = technology.sram(row["node_nm"])
    derated = row["period_ps"] and row["period_ps"] * technology.derating("clock")
    return row | {
        "mhz": 1e6 / row["period_ps"] if row["period_ps"] else None,
        "period_derated_ps": derated,
        "mhz_derated": 1e6 / derated if derated else None,
        "area_derated_um2": row["area_um2"] * technology.derating("area"),
        "energy_derated_pj": row["energy_pj_per_cycle"] * technology.derating("energy"),
        "sram_mm2": row["sram_bits"] * sram["area_um2"] * 1e-6,
        "sram_origin": sram["origin"] if row["sram_bits"] else "",
    }


def merged(old, new, variants):
    """Old rows of variants that there still are, with new ones in their places; ordered by units, then libraries."""
    rows = {tuple(str(row[key]) for key in KEYS): row for row in (*old, *new)}
    order = {(variant.unit, variant.name): at for at, variant in enumerate(variants)}
    libraries = {library: None for library in sorted({row["library"] for row in rows.values()})}
    places = {library: at for at, library in enumerate(libraries)}
    kept = [row for key, row in rows.items() if key[:2] in order]
    return sorted(kept, key=lambda row: (order[str(row["unit"]), str(row["variant"])], places[row["library"]]))


def read(file):
    """The rows of a file of an earlier run; none where there is no file."""
    if not file.exists():
        return []
    return [row | {"variant": str(row["variant"])} for row in records.read(file)[1]]


def as_csv(comment, rows, columns):
    out = io.StringIO()
    out.write(f"# {comment}\n")
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(columns)
    lines.writerows([records.text(row.get(column)) for column in columns] for row in rows)
    return out.getvalue()


def quantity(value, unit):
    """Five significant digits without an exponent."""
    return f"{Decimal(f'{value:.5g}'):f}{unit}"


def as_technology(name, rows, technology, variants):
    """The keys `engine.technology` of an experiment: raw figures of synthesis, the factors beside them."""
    node = rows[0]["node_nm"]
    sram = technology.sram(node)
    named = {(variant.unit, variant.name): dict(variant.technology) for variant in variants}
    units = []
    for row in rows:
        keys = named[row["unit"], row["variant"]]
        if not keys:
            continue
        period = {"period": f"{math.ceil(row['period_ps'])}ps"} if row["period_ps"] else {}
        units.append(
            {
                "unit": keys["unit"],
                "variant": row["variant"],
                **keys,
                "area": quantity(row["area_um2"], "um2"),
                **period,
                "energy_per_cycle": quantity(row["energy_pj_per_cycle"], "pJ"),
                "energy_basis": "vectorless" if row["activity"].startswith("vectorless") else "replayed",
                "leakage": quantity(row["leakage_uw"], "uW"),
            }
        )
    said = {
        "name": name,
        "node_nm": node,
        "units": units,
        "sram": {
            "area_per_bit": quantity(sram["area_um2"], "um2"),
            "energy_per_bit": quantity(sram["energy_pj"], "pJ/bit"),
            "leakage_per_bit": quantity(sram["leakage_uw"], "uW"),
        },
        "derating": {
            key: {"factor": round(technology.derating(key), 4), "source": technology.derating_source(key)}
            for key in QUANTITIES
        },
        **{
            key: {"energy": quantity(transfer["energy_pj_per_bit"], "pJ/bit"), "source": transfer["source"]}
            for key, transfer in technology.said["transfers"].items()
        },
    }
    head = (
        f"# Made by scripts/synthesise: figures of synthesis with the library {name}, typical corner, without wires,\n"
        f"# not derated; SRAM is {sram['origin']}. The simulator multiplies by `derating`.\n"
    )
    body = yaml.safe_dump({"engine": {"technology": said}}, sort_keys=False, default_flow_style=None, width=1000)
    return head + body


def texts(rows, technology, variants):
    """{file name: text} of all that is recorded."""
    rows = [completed(rounded(row), technology) for row in rows]
    made = {
        "synthesis.csv": as_csv("scripts/synthesise: typical corner, no wires, ideal clock", rows, COLUMNS),
        "derating.csv": as_csv(
            "scripts/synthesise", technology.derating_rows(), ("quantity", "part", "factor", "source")
        ),
        "cross-checks.csv": as_csv(
            "scripts/synthesise: projected to 65 nm",
            technology.cross_checks(rows),
            (*KEYS, "of", "figure", "own", "other", "ratio", "within_2x", "source"),
        ),
    }
    for name in dict.fromkeys(row["library"] for row in rows):
        own = [row for row in rows if row["library"] == name]
        made[f"technology-{name}.yaml"] = as_technology(name, own, technology, variants)
    return made


def write(folder, made):
    for name, text in made.items():
        files.replace((folder / name).resolve(), text)  # technologies of results/rtl are links into configs
