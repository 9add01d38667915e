"""A server that readers, uploads and faults keep busy for minutes holds as much at the end as at the beginning."""

import collections

import pytest
from measures import LIMIT, growth, thirds

# What the faults explain: presses are killed, and the disk is full.
EXPLAINED = {
    "press.crashed", "press.killed", "import.failed", "index.failed", "access.refused", "library.note",
    "upload.rejected", "upload.failed", "disk.full", "cache.failed", "bookmark.failed", "room.failed",
    "catalogue.failed",
}


def test_all_readers_and_requests_are_served(soak):
    assert not soak.faults, "\n".join(soak.faults)
    assert soak.status == 0
    for name in ("PDF uploaded", "comic uploaded", "EPUB uploaded", "press killed", "scan", "answer 200"):
        assert soak.counts[name] > 0, soak.counts


@pytest.mark.parametrize("name", ["anonymous", "rss"])
def test_memory_does_not_grow(soak, name):
    assert growth(soak.settled, name) <= LIMIT


@pytest.mark.parametrize("name", ["descriptors", "threads"])
def test_descriptors_and_threads_do_not_grow(soak, name):
    first, last = thirds(soak.settled, name)
    # There are so few of them that one is more than the limit.
    assert last <= first + max(1, LIMIT * first)


def test_no_process_and_no_file_is_left_over(soak):
    assert soak.children == []
    assert soak.last_files - soak.first_files == set()
    assert {name for name in soak.rest if "unfinished/" in name or ".tmp" in name} == set()


def test_the_log_has_nothing_bad_that_the_faults_do_not_explain(soak):
    bad = [one for one in soak.events if one["level"] in ("warning", "error") and one["event"] not in EXPLAINED]
    assert bad == []


def test_a_full_disk_is_said_once_and_stops_uploads_alone(soak):
    if soak.disk.fault:
        pytest.skip(f"a small disk cannot be mounted here: {soak.disk.fault}")
    assert soak.full
    for one in soak.full:
        status, told = one["during"]
        assert (status, told["notice"]["code"]) == (507, "noRoomForUpload"), told
        assert one["pages"] == [200] * len(one["pages"])
        said = collections.Counter(line["event"] for line in one["said"] if line["level"] == "error")
        # An event is repeated after ten seconds.
        assert said["upload.rejected"] and max(said.values()) <= 1 + one["seconds"] // 10, said


def test_a_reader_who_stayed_sees_what_a_new_reader_sees(soak):
    for stayed, new in soak.pictures:
        assert stayed == new
