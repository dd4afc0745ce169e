"""docs/cluster.md: the numbers of its text are those of results/between-nodes."""

import csv
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def read_points():
    """By ranks and link, the row of each method."""
    points = {}
    with open(ROOT / "results/between-nodes/between-nodes.csv", newline="", encoding="utf-8") as file:
        next(file)  # the program
        for row in csv.DictReader(file):
            points.setdefault((int(row["ranks"]), row["network.link.bandwidth"]), {})[row["method"]] = row
    return points


POINTS = read_points()


def time_of(point, method):
    return float(POINTS[point][method]["allreduce_ps"])


def over_integers(point, method):
    """How many times as fast as uncoded integers."""
    return time_of(point, "fixed_point") / time_of(point, method)


def span(method, nodes, *links):
    """The least and most that a method gains over uncoded integers on so many nodes, as the page writes it."""
    gains = [over_integers(point, method) for point in POINTS if point[0] // 8 in nodes and point[1] in links]
    return f"{min(gains):.2f} to {max(gains):.2f}"


FEW, MANY = (2, 4, 8), (32, 64)


def read_shared():
    """By nodes, NICs a node and Gbit/s a NIC, the row of each method."""
    points = {}
    with open(ROOT / "results/between-nodes/shared-nics.csv", newline="", encoding="utf-8") as file:
        next(file)  # the program
        for row in csv.DictReader(file):
            nics, rate = 8 // int(row["network.topology.gpus_per_nic"]), int(row["network.link.bandwidth"][:-4])
            points.setdefault((int(row["ranks"]) // 8, nics, rate), {})[row["method"]] = row
    return points


SHARED = read_shared()


def shared_time(point, method):
    return float(SHARED[point][method]["allreduce_ps"])


def shared_span(method, nodes, *rates):
    """The least and most gain over uncoded integers where two GPUs or more share a NIC."""
    points = [point for point in SHARED if point[0] in nodes and point[1] < 8 and point[2] in rates]
    gains = [shared_time(point, "fixed_point") / shared_time(point, method) for point in points]
    return f"{min(gains):.2f} to {max(gains):.2f}"


class ClusterPage(unittest.TestCase):
    page = (ROOT / "docs/cluster.md").read_text(encoding="utf-8")
    words = " ".join(page.split())

    def test_the_times_of_a_node_are_those_of_the_validation(self):
        summary = (ROOT / "results/validation/SUMMARY.md").read_text(encoding="utf-8")
        rows = re.findall(r"DGX H100 and its like: ([^|]*) \|[^|]*\| [^|]*\| ([\d,.]+) ns \| ([^|]*)% \|", summary)
        found = {
            ", ".join(name.split(", ")[:2]): (float(time.replace(",", "")) / 1000, float(error))
            for name, time, error in rows
        }
        self.assertEqual(len(found), 6)
        for name, (microseconds, error) in found.items():
            size = float(name.split(", ")[1].split()[0]) * 2 ** (30 if "GiB" in name else 20)
            factor = 1.75 if "one node" in name else 1.9375
            bandwidth = size * factor / microseconds / 1000
            time = f"{bandwidth:.0f} GB/s" if "2 GiB" in name or "4 GiB" in name else f"{microseconds:,.1f} us"
            self.assertIn(f"{time} | {error:+.1f} %", self.words, name)

    def test_the_gains_are_those_of_the_table(self):
        for sentence in (
            f"`asc` is {span('asc', FEW, '400Gbps', '800Gbps')} times as fast as uncoded integers (25 MiB, 2 to 8",
            f"**With 200 Gbit/s a GPU** it is {span('asc', FEW, '200Gbps')} times as fast, and `rans` "
            f"{span('rans', FEW, '200Gbps')} times",
            f"`asc` is {span('asc', FEW, '25Gbps', '50Gbps', '100Gbps')} times as fast as uncoded integers, `rans` "
            f"{span('rans', FEW, '25Gbps', '50Gbps', '100Gbps')} times",
            f"`asc` is {span('asc', MANY, '200Gbps', '400Gbps', '800Gbps')} times as fast as uncoded integers with 200",
            f"and {span('asc', MANY, '25Gbps', '50Gbps')} times with 25 and 50",
        ):
            self.assertIn(sentence, self.words)

    def test_limiters_and_errors_are_those_of_the_rows(self):
        limits = {(p[0] // 8, p[1], POINTS[p][m]["bottleneck"]) for p in POINTS for m in ("asc", "rans")}
        few = {(link, limit) for nodes, link, limit in limits if nodes in FEW}
        self.assertEqual({limit for link, limit in few if link in ("400Gbps", "800Gbps")}, {"dma"})
        self.assertEqual({limit for link, limit in few if link in ("25Gbps", "50Gbps", "100Gbps")}, {"link"})
        many = {(p[1], POINTS[p]["asc"]["bottleneck"]) for p in POINTS if p[0] // 8 in MANY}
        self.assertEqual({limit for link, limit in many if link in ("200Gbps", "400Gbps", "800Gbps")}, {"latency"})
        self.assertEqual({limit for link, limit in many if link in ("25Gbps", "50Gbps")}, {"link"})
        errors = {f"{float(POINTS[p][m]['relative_l2_error']):.3f}" for p in POINTS for m in ("asc", "fixed_point")}
        self.assertEqual(errors, {"0.025"})
        of_bf16 = sorted(float(POINTS[p]["bf16"]["relative_l2_error"]) for p in POINTS)
        self.assertIn(f"(bf16 {of_bf16[0]:.3f} to {of_bf16[-1]:.3f})", self.words)

    def test_the_gains_of_shared_nics_are_those_of_the_table(self):
        for sentence in (
            f"`asc` is {shared_span('asc', (4, 8, 16, 32), 200)} times as fast as uncoded integers, `rans` "
            f"{shared_span('rans', (4, 8, 16, 32), 200)} times",
            f"on two nodes `asc` is {shared_span('asc', (2,), 200)} times as fast, limited by the DMA",
            f"`asc` is {shared_span('asc', (2, 4, 8, 16), 400, 800)} times as fast (2 to 16 nodes), and "
            f"{shared_span('asc', (32,), 400, 800)} times on 32 nodes",
        ):
            self.assertIn(sentence, self.words)
        self.assertEqual({SHARED[p]["asc"]["bottleneck"] for p in SHARED if p[0] == 2 and p[1] < 8}, {"dma"})
        errors = sorted(float(SHARED[point]["bf16"]["relative_l2_error"]) for point in SHARED)
        self.assertIn(f"(bf16 {errors[0]:.3f} to {errors[-1]:.3f})", self.words)
        coded = {f"{float(SHARED[p][m]['relative_l2_error']):.3f}" for p in SHARED for m in ("asc", "fixed_point")}
        self.assertEqual(coded, {"0.025"})
