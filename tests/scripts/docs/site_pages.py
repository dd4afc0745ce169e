"""The built site in headless Chromium: pages fit a desktop and a phone, and what they show is there."""

import functools
import http.server
import re
import tempfile
import threading
from pathlib import Path

from tests.scripts.browser import looked_at

PAGES = (
    "index.html",
    "docs/demo.html",
    "docs/parameters.html",
    "docs/cluster.html",
    "docs/why-slow.html",
    "docs/report.html",
)

# How far the page is wider than its window, its pictures that are not there, and its headings.
PROBE = """<script>
window.addEventListener("load", () => {
  const page = document.documentElement;
  const missing = [...document.images].filter((image) => !image.complete || image.naturalWidth === 0);
  const place = document.createElement("pre");
  place.id = "probe";
  place.textContent = JSON.stringify({
    beyond: page.scrollWidth - page.clientWidth,
    missing: missing.map((image) => image.src),
    headings: document.querySelectorAll("h1, h2").length,
  });
  document.body.append(place);
});
</script>"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Answers without a line on standard error."""

    def log_message(self, *_):
        pass


def problems(site):
    """What is wrong with pages of the site in the folder `site`, a line each."""
    found = []
    with tempfile.TemporaryDirectory() as profile:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            for page in PAGES:
                text = (site / page).read_text(encoding="utf-8")
                for width in (1280, 390):
                    probed = Path(page).with_suffix(f".{width}.html")
                    style = f"<style>html {{ width: {width}px; }}</style>"
                    head, end, rest = re.sub(r"<img ", '<img loading="eager" ', text).rpartition("</body>")
                    (site / probed).write_text(head + style + PROBE + end + rest, encoding="utf-8")
                    try:
                        seen = looked_at(f"http://127.0.0.1:{server.server_port}/{probed}", width, profile, 1200)
                    finally:
                        (site / probed).unlink()
                    if seen["beyond"] > 0:
                        found.append(f"{page} is {seen['beyond']} pixels too wide for {width}")
                    found += [f"{page} lacks {picture}" for picture in seen["missing"]]
                    if seen["headings"] == 0:
                        found.append(f"{page} has no heading")
        finally:
            server.shutdown()
            server.server_close()
    return found
