"""Pages in headless Chromium."""

import json
import re
import shutil
import subprocess

CHROMIUM = shutil.which("chromium")


def looked_at(address, width, profile, height=2000):
    """What the page leaves as JSON in <pre id="probe">, in a window so many pixels wide (500 at least).
    AssertionError where its console has an error or it leaves nothing."""
    done = subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--disable-dev-shm-usage",
            "--enable-logging=stderr",
            "--dump-dom",
            f"--user-data-dir={profile}",
            f"--window-size={max(width, 500)},{height}",
            address,
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    errors = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert not errors, errors
    found = re.search(r'<pre id="probe">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr[-2000:]
    return json.loads(found.group(1).replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))
