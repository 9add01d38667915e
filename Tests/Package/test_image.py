"""The container image: its size, the formats that it opens, and the start and stop of a container."""

import shutil
import subprocess
import urllib.parse

import formats
import pytest
import yaml
from bareroot import BareRoot
from container import FREE, ROOT, Container, Images

# Most of it is the server (81 MB), the tables of ICU, which libxml2 needs (36), and the decoders of pictures (60).
ADDED_BYTES_MAX = 280_000_000
USER = 1234


@pytest.fixture(scope="module")
def images(package, tmp_path_factory):
    """A store that has the image."""
    folder = tmp_path_factory.mktemp("images")
    store = Images(folder)
    store.added = store.make(BareRoot(folder).path, package)
    yield store
    # It is too large to be kept with what other runs have left.
    shutil.rmtree(folder)


def test_the_image_adds_little_to_its_base(images, record_property):
    print(f"the image adds {images.added / 1e6:.0f} MB to its base")
    record_property("bytes", images.added)
    assert images.added < ADDED_BYTES_MAX


def test_the_compose_file_runs_the_image_of_this_version(package):
    file = ROOT / "Scripts" / "deploy" / "compose.yaml"
    (service,) = yaml.safe_load(file.read_text())["services"].values()
    assert service["image"].split(":")[1] == package.name.split("_")[1]
    context = file.parent / service["build"]["context"]
    assert (context / service["build"]["dockerfile"]).is_file()
    quadlet = (file.parent / "lectern.container").read_text()
    assert f"Image={service['image']}\n" in quadlet


def test_a_container_opens_every_format_as_its_user(images, tmp_path):
    library, data, pictures = (tmp_path / name for name in ("books", "data", "pictures"))
    for folder in (library, data, pictures):
        folder.mkdir()
    titles = formats.make(library, pictures)
    with Container(images, library, data, f"--env=PUID={USER}") as server:
        formats.expect_pages(server.url, titles)
        port = urllib.parse.urlsplit(server.url).port
        images.run("exec", f"--env=LECTERN_PORT={port}", "lectern", "lectern", "health")
    assert server.status == 0, server.lines
    assert any(" press.confined: " in line and " info " in line for line in server.lines), server.lines
    assert (data / "catalogue.sqlite").stat().st_uid == USER


def test_a_container_refuses_to_run_as_root(images):
    command = images.podman("run", "--rm", *FREE, "--env=PUID=0", "localhost/lectern")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and "PUID is 0" in done.stderr
