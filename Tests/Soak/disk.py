"""A small disk, which can be filled."""

import pathlib
import subprocess

PIECE_BYTES = 1 << 20


class Disk:
    """A file system in memory of some MiB, mounted at a folder; `fault` says why there is none."""

    def __init__(self, folder, mebibytes):
        self._folder = pathlib.Path(folder)
        self._folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", self._folder]
        done = subprocess.run(mount, capture_output=True, text=True)
        self.fault = done.stderr.strip() if done.returncode else None
        self.data = self._folder / "data"
        self._filler = self._folder / "filler"

    def fill(self):
        """Leaves no room at all."""
        with open(self._filler, "wb", buffering=0) as file:
            for size in (PIECE_BYTES, 1):
                try:
                    while file.write(bytes(size)):
                        pass
                except OSError:
                    pass

    def free(self):
        """Frees what `fill` has taken."""
        self._filler.unlink(missing_ok=True)

    def close(self):
        """Removes the disk with what is on it."""
        if self.fault is None:
            subprocess.run(["umount", "--lazy", self._folder], check=True)
