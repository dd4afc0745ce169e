"""The recorded figures: CSV files and, for each library, a part of an experiment that the simulator reads."""

import csv
import io
from decimal import Decimal

import yaml

from oscar_summary import files, records

KEYS = ("unit", "variant", "library")
RAW = (
    "cells",
    "flip_flops",
    "area_sequential_um2",
    "area_combinational_um2",
    "area_um2",
    "gates",
    "period_ps",
    "period_ports_ps",
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


def as_technology(name, rows, technology):
    """The part `technology` of an engine: raw figures of synthesis, the factors beside them."""
    node = rows[0]["node_nm"]
    sram = technology.sram(node)
    units = [
        {
            "unit": row["unit"],
            "variant": row["variant"],
            "area": quantity(row["area_um2"], "um2"),
            **({"period": quantity(row["period_ps"] / 1e3, "ns")} if row["period_ps"] else {}),
            "energy_per_cycle": quantity(row["energy_pj_per_cycle"], "pJ"),
            "leakage": quantity(row["leakage_uw"], "uW"),
        }
        for row in rows
    ]
    said = {
        "technology": {
            "name": name,
            "node_nm": node,
            "units": units,
            "sram": {
                "area_per_bit": quantity(sram["area_um2"], "um2"),
                "energy_per_bit": quantity(sram["energy_pj"], "pJ"),
                "leakage_per_bit": quantity(sram["leakage_uw"], "uW"),
            },
            "derating": {name: round(technology.derating(name), 4) for name in ("clock", "area", "energy")},
        }
    }
    head = (
        f"# Made by scripts/synthesise: figures of synthesis with the library {name}, typical corner, without wires,\n"
        f"# not derated; SRAM is {sram['origin']}. The simulator multiplies by `derating`.\n"
    )
    return head + yaml.safe_dump(said, sort_keys=False, default_flow_style=None, width=140)


def texts(rows, technology):
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
        made[f"technology-{name}.yaml"] = as_technology(name, own, technology)
    return made


def write(folder, made):
    for name, text in made.items():
        files.replace(folder / name, text)
