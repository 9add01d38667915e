"""The package in a bare Debian: it is installed, serves, is upgraded and purged."""

import re
import shutil
import subprocess
import time

import formats
import pytest
from playwright.sync_api import sync_playwright

USER = {"user": "lectern"}
DATA = "/var/lib/lectern"
# Mounts everything read-only except the data folder and /tmp.
READ_ONLY = " && ".join((
    "mount --bind {0} {0}", "mount --bind {0}" + DATA + " {0}" + DATA, "mount -t proc proc {0}/proc",
    "mount --rbind /dev {0}/dev", "mount -t tmpfs tmpfs {0}/tmp", "mount -o remount,bind,ro {0}"))


@pytest.fixture(autouse=True)
def fresh(bare):
    """Each test begins with the package installed and no data."""
    for path in bare.file(DATA).iterdir() if bare.file(DATA).exists() else []:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def first_page(url, picture=None):
    """Opens the page in Chromium, and returns the titles on the shelves."""
    with sync_playwright() as engines:
        browser = engines.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 820}, bypass_csp=True)
        page.goto(url)
        page.wait_for_function("document.querySelectorAll('.ledge svg text').length > 8")
        if picture:
            page.screenshot(path=picture)
        titles = page.eval_on_selector_all(".ledge svg text", "texts => texts.map(text => text.textContent)")
        browser.close()
    return titles


def test_a_bare_debian_shows_the_first_page_after_the_installation(bare, tmp_path, record_property):
    began = time.monotonic()
    with bare.serving(**USER) as server:
        titles = first_page(server.url, tmp_path / "first.png")
    seconds = bare.seconds + time.monotonic() - began
    print(f"from apt to the first page: {seconds:.1f} s, of which the installation takes {bare.seconds:.1f} s")
    record_property("seconds", seconds)
    assert "The Night Ferry" in titles
    assert server.status == 0
    assert bare.file(DATA + "/catalogue.sqlite").stat().st_uid == int(bare.run("id", "-u", "lectern"))


def test_the_package_has_what_its_programs_need(bare, package):
    output = bare.run("lectern", "doctor", "--port", "0", **USER)
    verdicts = {line.split()[1]: line.split()[0] for line in output.splitlines()}
    assert "problem" not in output and verdicts["press"] == "ok" and verdicts["page"] == "ok", output
    assert bare.run("lectern", "--version").startswith("lectern ")
    for program in ("/usr/bin/lectern", "/usr/lib/lectern/lectern-press"):
        assert "not found" not in bare.run("ldd", program)
        # Nothing depends on where it was built.
        assert str(package.parents[1]).encode() not in bare.file(program).read_bytes()
    for path in ("/usr/share/man/man1/lectern.1.gz", "/usr/lib/systemd/system/lectern.service",
                 "/usr/share/bash-completion/completions/lectern", "/usr/share/doc/lectern/copyright",
                 "/usr/share/zsh/vendor-completions/_lectern", "/usr/share/fish/vendor_completions.d/lectern.fish"):
        assert bare.file(path).is_file(), path


def test_the_service_serves_a_document_of_its_own_folder(bare):
    books = bare.file("/srv/books")
    books.mkdir(parents=True, exist_ok=True)
    (books / "hello.txt").write_text("Hello\n\nIt was a quiet evening.\n")
    pdf = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n" \
        "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]>>endobj\ntrailer<</Root 1 0 R>>\n"
    (books / "page.pdf").write_text(pdf)
    configuration = bare.file("/etc/lectern/lectern.conf")
    before = configuration.read_text()
    configuration.write_text(before + "\nlibrary = /srv/books\n")
    try:
        with bare.serving(**USER) as server:
            listed = subprocess.run(["curl", "-s", server.url + "api/books"], capture_output=True, text=True).stdout
    finally:
        configuration.write_text(before)
    # Without the layout engine, a text is a book that says so.
    assert '"title":"page"' in listed and '"pages":1' in listed and '"engineMissing"' in listed, listed
    # A command of root acts as the owner of the data, and writes a backup where only root may.
    assert "page" in bare.run("lectern", "list")
    bare.run("lectern", "backup", "/var/backups/lectern.tar")
    assert {path.name: path.stat().st_uid for path in bare.file("/var/backups").glob("lectern*")} == {"lectern.tar": 0}
    assert " books" in bare.run("lectern", "restore", "/var/backups/lectern.tar")
    assert "page" in bare.run("lectern", "list")
    owner = int(bare.run("id", "-u", "lectern"))
    assert all(path.stat().st_uid == owner for path in bare.file(DATA).rglob("*"))
    shutil.rmtree(next(bare.file(DATA).glob("replaced-*")))
    bare.file("/var/backups/lectern.tar").unlink()


def test_its_dependencies_open_every_format(bare, tmp_path):
    library = bare.file("/srv/formats")
    library.mkdir(parents=True)
    titles = formats.make(library, tmp_path)
    with bare.serving("--library", "/srv/formats", **USER) as server:
        formats.expect_pages(server.url, titles)
    shutil.rmtree(library)


@pytest.mark.parametrize("name", ["no home", "read-only root", "umask 077", "1,024 descriptors", "another user"])
def test_it_starts_as_containers_and_units_start_it(bare, name):
    root = bare.path
    options = dict(USER)
    if name == "read-only root":
        options["before"] = READ_ONLY.format(root)
    elif name == "umask 077":
        options["before"] = "umask 077"
    elif name == "1,024 descriptors":
        options["before"] = "ulimit -n 1024"
    elif name == "another user":
        options = {"user": "games", "environment": ("LECTERN_DATA=/tmp/of-games",)}
    with bare.serving(**options) as server:
        assert "The Night Ferry" in first_page(server.url)
    assert server.status == 0, server.lines


def test_what_it_needs_is_said_in_one_line(bare):
    done = subprocess.run(bare.command("lectern", "serve", "--port", "0", user="games"), capture_output=True, text=True)
    lines = (done.stdout + done.stderr).splitlines()
    assert done.returncode == 1 and len([line for line in lines if " error " in line]) == 1, lines
    assert DATA in lines[-1]


def test_root_backs_up_and_restores_what_the_service_can_use(bare):
    with bare.serving(**USER) as server:
        first_page(server.url)
        assert "MiB" in bare.run("lectern", "backup", "/root/backup.tar")
    key = bare.file(DATA + "/library.key").read_text()
    shutil.rmtree(bare.file(DATA + "/assets"))
    bare.file(DATA + "/library.key").write_text("another-key-that-was-made-later\n")
    assert "The former data is in" in bare.run("lectern", "restore", "/root/backup.tar")
    assert bare.file(DATA + "/library.key").read_text() == key
    with bare.serving(**USER) as server:
        assert "The Night Ferry" in first_page(server.url)
    assert server.status == 0, server.lines
    bare.file("/root/backup.tar").unlink()


def upgraded(package, folder, version):
    """Returns the package with another version."""
    unpacked = folder / "unpacked"
    subprocess.run(["dpkg-deb", "-R", package, unpacked], check=True)
    control = unpacked / "DEBIAN" / "control"
    control.write_text(re.sub(r"(?m)^Version: .*$", f"Version: {version}", control.read_text()))
    made = folder / "newer.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Znone", "--build", unpacked, made]
    subprocess.run(command, check=True, capture_output=True)
    return made


def test_an_upgrade_keeps_the_data_and_the_configuration(bare, package, tmp_path):
    configuration = bare.file("/etc/lectern/lectern.conf")
    before = configuration.read_text()
    configuration.write_text(before + "\nport = 9999\n")
    with bare.serving(**USER) as server:
        first_page(server.url)
    key = bare.file(DATA + "/secret").read_bytes()
    bare.apt("install", bare.put(upgraded(package, tmp_path, "99.0"), "newer.deb"))
    assert "99.0" in bare.run("dpkg-query", "--show", "lectern")
    assert configuration.read_text().endswith("port = 9999\n")
    with bare.serving(**USER) as server:
        first_page(server.url)
    assert bare.file(DATA + "/secret").read_bytes() == key
    configuration.write_text(before)
    bare.apt("install", "--allow-downgrades", "/root/lectern.deb")


@pytest.mark.parametrize("has_imports", [False, True])
def test_a_purge_keeps_only_books_that_exist_nowhere_else(bare, tmp_path, has_imports):
    if has_imports:
        picture = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="40"/>'
        for name in "ab":
            bare.file(f"/root/{name}.svg").write_text(picture)
        bare.file("/root").chmod(0o755)
        comic = tmp_path / "comic.cbz"
        subprocess.run(["zip", "-q", "-j", comic, bare.file("/root/a.svg"), bare.file("/root/b.svg")], check=True)
        shutil.copy(comic, bare.file("/tmp/comic.cbz"))
        bare.file("/tmp/comic.cbz").chmod(0o644)
        assert "2 pages" in bare.run("lectern", "import", "/tmp/comic.cbz")
    with bare.serving(**USER) as server:
        first_page(server.url)
    bare.apt("remove", "lectern")
    assert bare.file("/etc/lectern/lectern.conf").exists() and bare.file(DATA + "/catalogue.sqlite").exists()
    output = bare.apt("purge", "lectern")
    assert not bare.file("/etc/lectern").exists()
    assert bare.file(DATA).exists() == has_imports
    assert ("because it has imported books" in output) == has_imports
    bare.apt("install", "/root/lectern.deb")
