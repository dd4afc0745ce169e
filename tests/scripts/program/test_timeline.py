"""run --timeline: a file for Perfetto whose tracks add up to what the report says."""

import json
import tempfile
import unittest
from pathlib import Path

from tests.scripts.program.terminal import piped

CRITICAL, LINKS, SIGNALS = 1, 2, 3  # processes of the trace
UNITS = {"engine_utilisation": ("encoder", "decoder"), "dma_utilisation": ("DMA read", "DMA write")}


def picoseconds(us):
    return round(us * 1e6)


class Timeline(unittest.TestCase):
    def run_of(self, experiment, *settings):
        """(methods of the report, timeline by method)."""
        with tempfile.TemporaryDirectory() as folder:
            changes = [word for setting in settings for word in ("--set", setting)]
            done = piped("run", experiment, "--timeline", "-q", *changes, "-o", folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            methods = json.loads((Path(folder) / "report.json").read_text())["methods"]
            read = {m["name"]: json.loads((Path(folder) / f"timeline-{m['name']}.json").read_text()) for m in methods}
            return methods, read

    def check(self, method, trace, time, ranks):
        slices = {}
        for event in trace["traceEvents"]:
            self.assertIn(event["ph"], "MXsfC")
            self.assertIsInstance(event["pid"], int)
            if event["ph"] == "X":
                self.assertGreaterEqual(event["dur"], 0)
                slices.setdefault((event["pid"], event["tid"]), []).append(event)
        for track in slices.values():  # nothing overlaps on a track
            track.sort(key=lambda event: event["ts"])
            for a, b in zip(track, track[1:]):
                self.assertLessEqual(picoseconds(a["ts"]) + picoseconds(a["dur"]), picoseconds(b["ts"]))
        path = slices[CRITICAL, 1]
        self.assertEqual(sum(picoseconds(event["dur"]) for event in path), time)
        self.assertEqual(picoseconds(path[-1]["ts"] + path[-1]["dur"]), time)
        names = {
            e["tid"]: e["args"]["name"]
            for e in trace["traceEvents"]
            if e["name"] == "thread_name" and e["pid"] == LINKS
        }
        busy = {
            names[tid]: sum(picoseconds(e["dur"]) for e in track)
            for (pid, tid), track in slices.items()
            if pid == LINKS
        }
        units = {
            (e["pid"], e["tid"]): e["args"]["name"]
            for e in trace["traceEvents"]
            if e["name"] == "thread_name" and e["pid"] != LINKS
        }
        for utilisation, tracks in UNITS.items():
            spans = [event for place, track in slices.items() if units.get(place) in tracks for event in track]
            of_report = method[utilisation] * 2 * ranks * time  # both directions of all ranks
            self.assertEqual(sum(picoseconds(event["dur"]) for event in spans), round(of_report), utilisation)
        arrows = [event["ph"] for event in trace["traceEvents"] if event["ph"] in "sf"]
        self.assertEqual(arrows.count("s"), arrows.count("f"))
        return busy

    def test_adds_up_to_the_report_at_every_fidelity(self):
        for fidelity in ("flit", "packet", "message"):
            methods, timelines = self.run_of("demo", f"fidelity={fidelity}", "iterations.count=1")
            for method in methods:
                with self.subTest(fidelity=fidelity, method=method["name"]):
                    busy = self.check(method, timelines[method["name"]], method["allreduce_ps"], 8)
                    self.assertEqual(len(busy), len(method["links"]))
                    for link in method["links"]:
                        self.assertEqual(busy[link["name"]], round(link["utilisation"] * method["allreduce_ps"]))

    def test_of_64_ranks_and_of_islands_with_ports(self):
        for experiment, ranks, settings in (
            ("synthetic", 64, ("ranks=64", "fidelity=message", "methods=[fp32]", "size=4MiB")),
            ("dgx", 32, ("methods=[fp32]", "iterations.count=1")),
        ):
            methods, timelines = self.run_of(experiment, *settings)
            for method in methods:
                self.check(method, timelines[method["name"]], method["allreduce_ps"], ranks)

    def test_the_first_bucket_of_a_step_has_one(self):
        methods, timelines = self.run_of("step", "methods=[fp32, asc]", "iterations.count=1")
        for method in methods:
            times = [e for e in timelines[method["name"]]["traceEvents"] if e["ph"] == "X" and e["pid"] == CRITICAL]
            self.assertGreater(len(times), 1)
            self.assertLessEqual(sum(picoseconds(e["dur"]) for e in times), method["allreduce_ps"])

    def test_of_a_lossy_step_adds_up_too_and_names_its_exchanges(self):
        methods, timelines = self.run_of("demo", "methods=[fp32, top_k, power_sgd, thc, oscar_sw]")
        for method in methods:
            events = timelines[method["name"]]["traceEvents"]
            path = [e for e in events if e["ph"] == "X" and (e["pid"], e["tid"]) == (CRITICAL, 1)]
            of_first = method["iterations"][0]["allreduce_ps"]
            self.assertEqual(sum(picoseconds(e["dur"]) for e in path), of_first, method["name"])
            named = {e["name"] for e in events if e["ph"] == "X" and (e["pid"], e["tid"]) == (CRITICAL, 2)}
            self.assertEqual(named, {e["what"] for e in method.get("exchanges", []) if not e["overlapped"]})

    def test_a_window_shows_less_and_a_waveform_adds_its_signals(self):
        settings = ("methods=[asc]", "iterations.count=1", "fidelity=flit", "waveform={signals: '*port0.queue'}")
        _, whole = self.run_of("demo", *settings)
        _, window = self.run_of("demo", *settings, "timeline_window={from: 10us, to: 12us}")
        for events in (whole["asc"]["traceEvents"], window["asc"]["traceEvents"]):
            self.assertIn(
                "rank3.nic.port0.queue", {e["name"] for e in events if e["ph"] == "C" and e["pid"] == SIGNALS}
            )
        shown = [e for e in window["asc"]["traceEvents"] if e["ph"] == "X"]
        self.assertTrue(all(e["ts"] <= 12 and e["ts"] + e["dur"] >= 10 for e in shown))
        self.assertLess(len(shown), sum(e["ph"] == "X" for e in whole["asc"]["traceEvents"]) / 5)

    def test_needs_a_folder_and_is_left_out_of_the_echo(self):
        done = piped("run", "demo", "--timeline", "-o", "-")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("timeline: is a file of its own; name a folder for it with -o DIR", done.stderr)
        self.assertNotIn("timeline", json.loads(piped("run", "demo", "--json").stdout)["config"])


if __name__ == "__main__":
    unittest.main()
