"""A Slurm of one node on this machine, for tests: munged, slurmctld and slurmd on loopback, in a folder of its own."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
PATH = os.environ["PATH"] + ":/usr/sbin"

CONFIGURATION = """\
ClusterName=loop
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_res
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=200000
ReturnToService=2
SlurmdTimeout=10
KillWait=1
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 Port={node_port} CPUs=2 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """The first program that is not there; None if all are."""
    return next((program for program in PROGRAMS if shutil.which(program, path=PATH) is None), None)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Slurm:
    """Started by `with`; RuntimeError says why it cannot be. `environment` is for those who use it."""

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="oscar-slurm-"))
        self.host = socket.gethostname().split(".")[0]
        self.environment = dict(os.environ, PATH=PATH, SLURM_CONF=str(self.folder / "slurm.conf"))
        try:
            self.start()
        except RuntimeError:
            self.__exit__()
            raise
        return self

    def start(self):
        for name, mode in (("munge", 0o700), ("state", 0o755), ("spool", 0o755)):
            (self.folder / name).mkdir(mode=mode)
        self.folder.chmod(0o755)
        munge = self.folder / "munge"
        (munge / "key").write_bytes(os.urandom(1024))
        (munge / "key").chmod(0o600)
        text = CONFIGURATION.format(
            host=self.host,
            folder=self.folder,
            user=getpass.getuser(),
            controller_port=free_port(),
            node_port=free_port(),
        )
        (self.folder / "slurm.conf").write_text(text)
        names = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        self.run("munged", "--force", *(f"--{option}={munge / name}" for option, name in names.items()))
        self.run("slurmctld")
        self.start_node()
        for _ in range(100):
            if "idle" in self.run("sinfo", "--noheader", "--format=%t"):
                return
            time.sleep(0.2)
        raise RuntimeError("the node does not become idle: " + self.log("slurmd"))

    def start_node(self):
        self.run("slurmd", "-N", self.host)

    def stop_node(self):
        """As a node that fails: its daemon and the tasks that it runs are killed."""
        os.kill(self.pid("slurmd.pid"), signal.SIGKILL)
        subprocess.run(["pkill", "-KILL", "slurmstepd"], check=False)

    def pid(self, name):
        return int((self.folder / name).read_text())

    def log(self, daemon):
        path = self.folder / f"{daemon}.log"
        return path.read_text()[-2000:] if path.exists() else "it wrote no log"

    def run(self, *words):
        """What the program prints."""
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{words[0]}: {done.stderr.strip() or self.log(words[0])}")
        return done.stdout

    def __exit__(self, *_):
        for name in ("slurmd.pid", "slurmctld.pid", "munge/pid"):
            try:
                os.kill(self.pid(name), signal.SIGTERM)
            except (OSError, ValueError):
                pass
        shutil.rmtree(self.folder, ignore_errors=True)
