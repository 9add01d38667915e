"""The image of the package, built with buildah, and containers of it, run with podman."""

import os
import pathlib
import subprocess

from bareroot import Serving

IMAGE = "localhost/lectern"
ROOT = pathlib.Path(__file__).resolve().parents[2]
# crun knows one kind of control groups only, and may neither make some nor raise limits where these tests run.
PLACE = 'mount -t cgroup2 cgroup2 /sys/fs/cgroup; exec "$@"'
FREE = ("--cgroups=disabled", "--network=host", "--no-healthcheck", "--ulimit=nofile=1024:1024",
        "--ulimit=nproc=10000:10000")


class Images:
    """A store of images in a folder of its own."""

    def __init__(self, folder):
        self._options = ("--root", str(folder / "storage"), "--runroot", str(folder / "run"))

    def podman(self, *words):
        """The words of a command."""
        podman = ("podman", *self._options, "--cgroup-manager=cgroupfs", *map(str, words))
        return ["unshare", "--mount", "sh", "-c", PLACE, "sh", *podman]

    def run(self, *words):
        """Runs a command of podman, and returns what it printed."""
        done = subprocess.run(self.podman(*words), capture_output=True, text=True)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    def make(self, root, package):
        """Builds the image from a package and from the file system of a root, and returns how many bytes it adds."""
        archive = subprocess.Popen(["tar", "--create", "--one-file-system", "--directory", root, "."],
                                   stdout=subprocess.PIPE)
        base = self.podman("import", "--quiet", "-", "localhost/base")
        subprocess.run(base, stdin=archive.stdout, check=True, capture_output=True)
        assert archive.wait() == 0
        command = ["Scripts/deploy/build-image", package, "localhost/lectern", "--build-arg", "BASE=localhost/base"]
        buildah = " ".join(("buildah", *self._options))
        environment = {**os.environ, "BUILDAH": buildah, "BUILDAH_ISOLATION": "chroot"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return self._size("lectern") - self._size("base")

    def _size(self, name):
        return int(self.run("image", "inspect", "--format", "{{.Size}}", f"localhost/{name}"))


class Container(Serving):
    """A server in a container with a read-only root, until the end of a `with`."""

    def __init__(self, images, library, data, *more):
        volumes = (f"--volume={library}:/library:ro", f"--volume={data}:/data")
        options = ("--read-only", "--tmpfs=/tmp", "--env=LECTERN_PORT=0", "--env=LECTERN_LISTEN=127.0.0.1")
        super().__init__(images.podman("run", "--rm", "--name=lectern", *FREE, *volumes, *options, *more, IMAGE))
