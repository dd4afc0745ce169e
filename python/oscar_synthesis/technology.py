"""Derating, SRAM and scaling between nodes: derating.yaml beside the RTL, in which each factor has a source."""

import fnmatch
import math
from dataclasses import dataclass

from oscar_summary.command import InputError

from . import units

QUANTITIES = ("clock", "area", "energy")


@dataclass
class Technology:
    said: dict  # derating.yaml
    given: dict  # {quantity: factor} of the command line

    def derating(self, quantity):
        """The factor of a quantity: the product of its parts."""
        if quantity in self.given:
            return self.given[quantity]
        return math.prod(part["factor"] for part in self.said["derating"][quantity].values())

    def derating_source(self, quantity):
        """In one text: the parts of the factor with their sources."""
        if quantity in self.given:
            return "the command line"
        parts = self.said["derating"][quantity].items()
        return ", ".join(f"{name} {part['factor']:g} ({part['source']})" for name, part in parts)

    def derating_rows(self):
        """Each part of each factor with its source."""
        rows = []
        for quantity in QUANTITIES:
            parts = self.said["derating"][quantity]
            if quantity in self.given:
                parts = {"all": {"factor": self.given[quantity], "source": "the command line"}}
            rows += [{"quantity": quantity, "part": name, **part} for name, part in parts.items()]
            if len(parts) > 1:
                rows.append(
                    {"quantity": quantity, "part": "product", "factor": self.derating(quantity), "source": "computed"}
                )
        return rows

    def library(self, name, node=None):
        """(short name, node in nm) of a library; `node` of the command line goes before."""
        for pattern, known in self.said["libraries"].items():
            if fnmatch.fnmatchcase(name, pattern):
                return known["name"], node or known["node_nm"]
        if node is None:
            raise InputError(f"library {name}: its node is not known; give it in nm with --node")
        return name, node

    def factor(self, node):
        """(area, energy, origin) of a node relative to 65 nm, at its usual voltage; between nodes of the table
        interpolated in the logarithm."""
        table = {int(key): value for key, value in self.said["scaling"]["nodes"].items()}
        if node in table:
            area, energy, origin = self.row(table[node])
        else:
            below = max((key for key in table if key < node), default=None)
            above = min((key for key in table if key > node), default=None)
            if below is None or above is None:
                raise InputError(f"node {node} nm: is outside the scaling table ({min(table)} to {max(table)} nm)")
            share = math.log(node / below) / math.log(above / below)
            area, energy = (
                math.exp((1 - share) * math.log(low) + share * math.log(high))
                for low, high in zip(self.row(table[below])[:2], self.row(table[above])[:2])
            )
            origin = "scaled"
        base = self.row(table[65])
        return area / base[0], energy / base[1], origin

    @staticmethod
    def row(said):
        volts = said.get("voltage", 0)
        energy = said["energy"] if "energy" in said else said["a"] * volts**2 + said["b"] * volts + said["c"]
        return said["area"], energy, said.get("origin", "scaled")

    def sram(self, node):
        """Of one bit: area in um2, energy of an access in pJ, leakage in uW; and where they come from."""
        macros = {int(key): value for key, value in self.said["sram"]["macros"].items()}
        base = macros.get(node, macros[65])
        area, energy, origin = (1, 1, "computed by CACTI") if node in macros else self.factor(node)
        bits, width = self.said["sram"]["bits"], self.said["sram"]["width"]
        return {
            "area_um2": base["area_mm2"] * 1e6 / bits * area,
            "energy_pj": base["read_pj"] / width * energy,
            "leakage_uw": base["leakage_mw"] * 1e3 / bits * energy,
            "origin": origin if node in macros else f"{origin} from CACTI at 65 nm",
        }

    def at_65(self, row):
        """Area, energy and clock of a row projected to 65 nm; the delay is taken as linear in the node."""
        area, energy, _ = self.factor(row["node_nm"])
        period = row["period_ps"] and row["period_ps"] * 65 / row["node_nm"]
        return {
            "area_65_um2": row["area_um2"] / area,
            "energy_65_pj": row["energy_pj_per_cycle"] / energy,
            "mhz_65": 1e6 / period if period else None,
        }

    def cross_checks(self, rows):
        """A row for each figure published or computed elsewhere with each variant that it is comparable with."""
        found = []
        for check in self.said["cross_checks"]:
            for row in rows:
                if row["node_nm"] != check["from_node"] or row["unit"] != check["unit"]:
                    continue
                if not fnmatch.fnmatchcase(row["variant"], check.get("variant", "*")):
                    continue
                own = self.at_65(row) | {"gates": row["gates"]}
                for figure, value in check["figures"].items():
                    ratio = own[figure] / value if own[figure] else None
                    key = {name: row[name] for name in ("unit", "variant", "library")}
                    known = {"figure": figure, "own": own[figure], "other": value, "ratio": ratio}
                    within = "yes" if ratio and 0.5 <= ratio <= 2 else "no"
                    found.append(key | {"of": check["of"]} | known | {"within_2x": within, "source": check["source"]})
        return found


def read(file, given=None):
    return Technology(units.described(file), given or {})


def derates(texts):
    """{quantity: factor} of texts like `clock=1.3,area=1.4`."""
    found = {}
    for part in (part for text in texts or () for part in text.split(",")):
        quantity, _, factor = part.partition("=")
        try:
            value = float(factor)
        except ValueError:
            value = math.nan
        if quantity not in QUANTITIES or not 1 <= value < 100:
            raise InputError(f"--derate {part}: is not QUANTITY=FACTOR of {', '.join(QUANTITIES)} and at least 1")
        found[quantity] = value
    return found
