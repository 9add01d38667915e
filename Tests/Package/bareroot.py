"""A root file system with nothing but Debian's essential packages and apt, in which the package is installed."""

import pathlib
import re
import shutil
import subprocess
import threading

# The lists of the machine's own packages; without one of them, those of Debian.
SOURCES = ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list")
# What the network of this machine needs is in these files.
NETWORK = ("/etc/resolv.conf", "/etc/hosts")
ADDRESS = re.compile(r"Lectern is open at (http://[^/\s]+/)")
START_SECONDS = 60


class BareRoot:
    """A root file system; commands in it see its files, the machine's processes and its network."""

    def __init__(self, folder):
        self.path = folder / "root"
        own = next((path for path in SOURCES if "bookworm" in _text(path)), None)
        options = ["--quiet", "--variant=minbase", "--aptopt=APT::Sandbox::User \"root\""]
        command = ["mmdebstrap", *options, "bookworm", self.path, *([own] if own else [])]
        subprocess.run(command, check=True, capture_output=True)
        for path in NETWORK:
            shutil.copy(path, self.path / path[1:])
        shutil.copytree("/etc/apt/apt.conf.d", self.path / "etc/apt/apt.conf.d", dirs_exist_ok=True)
        # Nothing starts a service here.
        (self.path / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (self.path / "usr/sbin/policy-rc.d").chmod(0o755)

    def command(self, *words, user=None, before="", environment=()):
        """The words of a command in the root, whose mounts end with it."""
        root = self.path
        script = f"mount -t proc proc {root}/proc && mount --rbind /dev {root}/dev && {before or ':'} && " \
            f'exec chroot {root} env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"'
        as_user = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--"] if user else []
        return ["unshare", "--mount", "sh", "-c", script, "sh", *environment, *as_user, *words]

    def serving(self, *arguments, **options):
        """A server in the root."""
        return Serving(self.command("lectern", "serve", "--port", "0", *arguments, **options))

    def run(self, *words, **options):
        """Runs a command, and returns what it printed."""
        done = subprocess.run(self.command(*words, **options), capture_output=True, text=True)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def apt(self, *words):
        """Installs, removes or updates packages."""
        return self.run("apt-get", "--yes", "--quiet", *words, environment=("DEBIAN_FRONTEND=noninteractive",))

    def put(self, path, name):
        """Copies a file into the root, and returns its path there."""
        shutil.copy(path, self.path / "root" / name)
        return f"/root/{name}"

    def file(self, path):
        return self.path / path.lstrip("/")


class Serving:
    """A server that a command runs, until the end of a `with`."""

    def __init__(self, command):
        self._command = command
        self.lines = []
        self.url = None

    def __enter__(self):
        self.process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        ready = threading.Event()

        def read():
            is_ready = False
            for line in self.process.stdout:
                self.lines.append(line)
                if match := ADDRESS.search(line):
                    self.url = match[1]
                is_ready = is_ready or " server.ready: " in line
                # The log and the address come on two streams.
                if is_ready and self.url:
                    ready.set()
            ready.set()

        self._reader = threading.Thread(target=read, daemon=True)
        self._reader.start()
        if not ready.wait(START_SECONDS) or not self.url:
            self.process.kill()
            self.process.wait()
            raise AssertionError("".join(self.lines))
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.status = self.process.wait(30)
        self._reader.join()


def _text(path):
    try:
        return pathlib.Path(path).read_text()
    except OSError:
        return ""
