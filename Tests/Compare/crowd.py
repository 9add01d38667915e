"""Many members, played by the C code of Sources/CLoad so that they do not limit a server."""

import ctypes
import pathlib
import subprocess

import machines  # noqa: F401  It adds the folder of the wire to the path.

import wire

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOIN_SECONDS = 60.0
# A page sends an ack a second after a frame, and probes the clock less often in a large room.
ACK_SECONDS = 1.0
PROBE_LEAST, PROBE_EACH, PROBE_MOST = 4.0, 0.016, 20.0


class Plan(ctypes.Structure):
    """`load_plan` of CLoad.h."""

    _fields_ = [
        ("port", ctypes.c_uint16), ("members", ctypes.c_int),
        ("hellos", ctypes.POINTER(ctypes.c_char_p)), ("hello_sizes", ctypes.POINTER(ctypes.c_size_t)),
        ("hello_count", ctypes.c_int), ("join_within", ctypes.c_double),
        ("probe", ctypes.c_char_p), ("probe_size", ctypes.c_size_t), ("probe_every", ctypes.c_double),
        ("ack", ctypes.c_char_p), ("ack_size", ctypes.c_size_t), ("ack_after", ctypes.c_double),
    ]


class Counts(ctypes.Structure):
    """`load_counts` of CLoad.h."""

    _fields_ = [
        (name, ctypes.c_uint64) for name in ("messages", "bytes", "driven", "flown", "reads", "closed")
    ]


def load():
    """Compiles the C code, and returns its functions."""
    swift = subprocess.run([ROOT / "Scripts" / "find-swift"], check=True, capture_output=True, text=True)
    target = ROOT / ".build" / "compare" / "load.so"
    target.parent.mkdir(parents=True, exist_ok=True)
    source = ROOT / "Sources" / "CLoad"
    compiler = pathlib.Path(swift.stdout.strip()).with_name("clang")
    subprocess.run(
        [compiler, "-O2", "-shared", "-fPIC", "-pthread", f"-I{source}/include", *sorted(source.glob("*.c")),
         "-o", target],
        check=True,
    )
    found = ctypes.CDLL(str(target), use_errno=True)
    found.load_audience_open.restype = ctypes.c_void_p
    found.load_audience_open.argtypes = [
        ctypes.POINTER(Plan), ctypes.c_double, ctypes.POINTER(ctypes.c_double)
    ]
    found.load_audience_run.argtypes = [ctypes.c_void_p, ctypes.c_double]
    found.load_audience_take.argtypes, found.load_audience_take.restype = [ctypes.c_void_p], Counts
    found.load_audience_close.argtypes = [ctypes.c_void_p]
    return found


class Crowd:
    """The members of a server; without a hello, clients of the bare loop."""

    _load = None

    def __init__(self, port, count, hello=None):
        Crowd._load = Crowd._load or load()
        probe = wire.encode("clock", 0.0)
        ack = wire.encode("ack", 0, 0.002, 0.004, 0.003)
        every = min(max(PROBE_LEAST, PROBE_EACH * count), PROBE_MOST)
        hellos = (ctypes.c_char_p * 1)(hello or b"")
        sizes = (ctypes.c_size_t * 1)(len(hello or b""))
        plan = Plan(
            port, count, hellos, sizes, 1 if hello else 0, 0, probe, len(probe), every, ack, len(ack), ACK_SECONDS
        )
        self._audience = self._load.load_audience_open(plan, JOIN_SECONDS, ctypes.c_double())
        if not self._audience:
            raise OSError(ctypes.get_errno(), f"{count} members could not join")

    def run(self, seconds):
        """Receives for a while; returns the counts."""
        self._load.load_audience_take(self._audience)
        self._load.load_audience_run(self._audience, seconds)
        counts = self._load.load_audience_take(self._audience)
        assert counts.closed == 0, f"{counts.closed} members lost their connections"
        return counts

    def close(self):
        """Closes all connections."""
        self._load.load_audience_close(self._audience)
