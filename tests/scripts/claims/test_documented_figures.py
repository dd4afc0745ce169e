"""docs/validation.md and the pages on the model: figures and statements that a run can check."""

import re
import subprocess
import unittest
from pathlib import Path

from tests.scripts.loading import script

script("validate")  # names the folder of oscar_validation
from oscar_validation import program  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/validation.md").read_text(encoding="utf-8")
LOSSY = ("ranks=8", "size=1MiB", "methods=[fp32]", "network.loss.rate=0.01", "network.reliability=selective")
PATHS = ("ranks=16", "size=1MiB", "methods=[fp32]", "network.topology={kind: fat_tree, k: 4}")


def simulated(config, *overrides):
    return program.call("run", config, overrides)


def outcome(*overrides):
    """Time and bytes by link of an AllReduce without values."""
    method = simulated(ROOT / "configs/experiments/synthetic.yaml", *overrides)["methods"][0]
    return method["allreduce_ps"], {link["name"]: link["wire_bytes"] for link in method["links"]}


class Tuner(unittest.TestCase):
    RINGS = {  # a row of the table: its machine and what is changed
        "a100-machine.yaml, 512 KiB": ("size=512KiB",),
        "polaris-machine.yaml, 256 KiB, 64 ranks:": ("size=256KiB", "ranks=64"),
        "polaris-machine.yaml, 512 KiB, 256 ranks, islands of 64": (
            "size=512KiB",
            "ranks=256",
            "tuner.ranks_per_node=64",
            "network.topology.island=64",
        ),
        "polaris-machine.yaml, 1 MiB, islands of 2": (
            "size=1MiB",
            "tuner.ranks_per_node=2",
            "network.topology.island=2",
        ),
        "polaris-machine.yaml, 256 MiB, 3 Tbit/s, buffers of 4 MiB": ("size=256MiB", "tuner.bandwidth=3000Gbps"),
        "polaris-machine.yaml, 256 MiB, 3 Tbit/s, buffers of 16 MiB": (
            "size=256MiB",
            "tuner.bandwidth=3000Gbps",
            "network.link.buffer=16MiB",
        ),
    }

    def test_the_differences_between_rings_and_the_tuner_are_those_of_the_table(self):
        for name, overrides in self.RINGS.items():
            with self.subTest(name):
                report = simulated(name.split(",")[0], *overrides)
                note = next(note for note in report["notes"] if note.startswith("tuner: ring"))
                tuner = float(re.search(r"expected to take ([\d.]+) us", note)[1])
                time = report["methods"][0]["allreduce_ps"] / 1e6
                row = next(line for line in PAGE.splitlines() if line.startswith(f"| {name}"))
                self.assertEqual(
                    row.split(" | ")[1:], [f"{tuner:.2f}", f"{time:.2f}", f"{100 * (time / tuner - 1):+.2f} % |"]
                )


class Seeds(unittest.TestCase):
    def test_the_experiments_seed_is_not_said_to_be_that_of_everything(self):
        said = subprocess.run(
            [program.PROGRAM, "describe", "experiment"], capture_output=True, text=True, check=True
        ).stdout
        self.assertIn("own", re.search(r"^seed .*\n(?: {4,}.*\n)*", said, re.MULTILINE)[0])
        self.assertNotIn("of everything random", said)

    def test_damage_follows_from_its_own_seed_alone_where_there_are_no_iterations(self):
        runs = [outcome(*LOSSY, seed) for seed in ("seed=1", "seed=2", "network.loss.seed=2")]
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])

    def test_routes_follow_from_the_seed_of_the_routing_alone(self):
        runs = [
            outcome(*PATHS, *seed)
            for seed in (
                ["network.routing=shortest", "seed=1"],
                ["network.routing=shortest", "seed=2"],
                ["network.routing={kind: shortest, seed: 2}"],
            )
        ]
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])


if __name__ == "__main__":
    unittest.main()
