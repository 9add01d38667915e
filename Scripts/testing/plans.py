"""The suites of each kind of run, in the order in which they start.

A suite starts as soon as those before it have ended that it names, and enough processors are free. Checks that need
no product run while the programs are built. A browser draws on one processor, so one process of tests uses Chromium and
another uses Firefox. The tests are compiled beside the longer of the two, so that what they need of the processors, and
the waiting of one suite, fall into the time of another.
"""

import dataclasses
import os

from suites import Fuzzer, Node, Python, Suite, Swift

SMALL_CLUSTER = "Tests/ClusterFailures/test_two_nodes.py"
THREADED = ("RoomsTests", "LibraryTests", "PressroomTests", "WebServerTests", "CommandsTests", "FabricNATSTests",
            "SharedStoreTests")
# Each process runs one test after the other, so that the duration of a test is its own. These modules keep a processor
# busy; the others wait for files, processes and connections half of the time.
COMPUTING = ("FabricTests", "FuzzTests", "GatewayTests", "MotionTests", "RecordingTests",
             "RoomsTests", "StagingTests", "TidyTests", "WireTests")
IN_TURN = ("--no-parallel", "--ignore-lock")
# The sanitizers end a process at their first report, so a report fails the test that ran it. Leak detection is off,
# because Swift and GLib never free what they allocate once at the start.
ADDRESS = {"LECTERN_SANITIZER": "address", "ASAN_OPTIONS": "detect_leaks=0"}
THREAD = {"LECTERN_SANITIZER": "thread", "TSAN_OPTIONS": "halt_on_error=1"}
# Swift would describe a crash itself, and libFuzzer could not keep its input.
FUZZED = {"ASAN_OPTIONS": "exitcode=1", "SWIFT_BACKTRACE": "enable=no"}

PROGRAMS = Suite("programs", "build of the programs", ("Scripts/build", "--test-programs"))

USUAL = [
    PROGRAMS,
    Suite("shell", "shellcheck", ("bash", "-c", "shellcheck $(find Scripts -maxdepth 1 -type f) .ci/run")),
    Suite("format", "format check", ("Scripts/format", "--check")),
    Node("node", "node tests"),
    # Two Swift tests run a server in Python, and cannot wait until its packages have been downloaded.
    Suite("python", "packages of Python", ("Scripts/python", "-c", "")),
    Python("chromium", "browser tests with Chromium alone", needs=("programs",), processors=.75, place="Tests/Browser",
           options=("--part=chromium",)),
    Suite("bundles", "build of the tests", ("Scripts/build", "--tests"), after=("programs",)),
    Swift("waiting", "Swift tests that wait", needs=("bundles", "python"), processors=.5, are_built=True,
          options=IN_TURN, leaves=COMPUTING),
    Python("firefox", "browser tests with Firefox", needs=("programs",), after=("bundles",), processors=.75,
           place="Tests/Browser", options=("--part=firefox",)),
    Swift("swift", "Swift tests", needs=("bundles", "python"), processors=.75, are_built=True, options=IN_TURN,
          modules=COMPUTING),
    Python("wire", "tests of the protocol", needs=("programs",), processors=.5, place="Tests/Browser",
           options=("--part=neither",)),
    Python("cluster", "tests of a small cluster", needs=("programs",), processors=.5, place=SMALL_CLUSTER),
]
REAL_BOOKS = [
    PROGRAMS,
    Suite("packages", "packages for real books", ("Scripts/install-packages", "poppler-utils")),
    Python("books", "real books", needs=("programs", "packages"), place="Tests/RealBooks"),
]
CLUSTER = [
    PROGRAMS,
    Python("failures", "failures of a cluster", needs=("programs",), place="Tests/ClusterFailures"),
]
SANITIZE = [
    Suite("packages", "packages for sanitizers", ("Scripts/build", "--packages")),
    Swift("address", "address sanitizer", needs=("packages",), environment=ADDRESS,
          options=(*IN_TURN, "--sanitize=address", "--scratch-path", ".build/address")),
    Swift("thread", "thread sanitizer", needs=("packages",), after=("address",), environment=THREAD, modules=THREADED,
          options=(*IN_TURN, "--sanitize=thread", "--scratch-path", ".build/thread")),
]
PACKAGE = [
    Suite("packages", "packages for a bare system",
          ("Scripts/install-packages", "mmdebstrap", "zip", "curl", "chromium", "systemd", "buildah", "podman", "crun",
           "libvips-tools", "djvulibre-bin")),
    Suite("package", "build of the package", ("Scripts/package",), needs=("packages",)),
    Python("installed", "the package in a bare system", needs=("package",), place="Tests/Package"),
]
PROXIES = [
    PROGRAMS,
    Suite("packages", "packages for proxies",
          ("Scripts/install-packages", "nginx-light", "caddy", "haproxy", "chromium")),
    Python("proxies", "proxies", needs=("programs", "packages"), place="Tests/Proxies"),
    *(Python(kind, f"what readers do through {kind}", needs=("programs", "packages"), after=("proxies",),
             place="Tests/Browser", options=("--part=chromium", f"--through={kind}")) for kind in ("nginx", "caddy")),
]
FUZZ = [
    Suite("fuzzers", "build of the fuzzers", ("Scripts/build", "--fuzzers")),
    *(Fuzzer(parser, f"fuzzer of {parser}", needs=("fuzzers",), environment=FUZZED | {"LECTERN_FUZZED": parser})
      for parser in sorted(os.listdir(Fuzzer.CORPUS))),
]
SOAK = [
    PROGRAMS,
    Python("soak", "a soak with faults", needs=("programs",), place="Tests/Soak"),
]
PLANS = {
    "--package": [PACKAGE], "--proxies": [PROXIES], "--real-books": [REAL_BOOKS], "--cluster": [CLUSTER],
    "--sanitize": [SANITIZE], "--fuzz": [FUZZ], "--soak": [SOAK],
}


def plan(option, minutes=0):
    """Returns the lists of suites that an option asks for; the lists run one after the other.

    Each fuzzer, or the soak, runs for some minutes, or as long as usual.
    """
    if option == "--all":
        return [[_with_all_variants(suite) for suite in USUAL], REAL_BOOKS, CLUSTER, SANITIZE, FUZZ]
    if minutes and option == "--soak":
        return [[dataclasses.replace(suite, environment={"SOAK_MINUTES": str(minutes)}) for suite in SOAK]]
    if minutes and option == "--fuzz":
        return [[dataclasses.replace(suite, minutes=minutes) if isinstance(suite, Fuzzer) else suite for suite in FUZZ]]
    return PLANS.get(option, [USUAL])


def only(suites, keys):
    """Returns the suites with the given keys and those that they need, in their order."""
    wanted = set(keys)
    for suite in reversed(suites):
        if suite.key in wanted:
            wanted |= set(suite.needs)
    return [suite for suite in suites if suite.key in wanted]


def _with_all_variants(suite):
    if isinstance(suite, Python) and suite.place == "Tests/Browser":
        return dataclasses.replace(suite, options=(*suite.options, "--all-variants"))
    return suite
