"""What `lectern doctor` says about real NATS servers."""

import subprocess

import pytest

from machines import NATS, ROOT, Cluster, free_ports, make_library, until
from server import PROGRAM


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    """Options in which nothing but NATS can be wrong."""
    folder = tmp_path_factory.mktemp("doctor")
    store = folder / "store"
    store.mkdir()
    return [
        "--port", "0", "--web", ROOT / "Web", "--library", make_library(folder / "library"),
        "--data", folder / "data", "--store", store,
    ]


@pytest.fixture(scope="module")
def cluster():
    """A cluster of one node, which has created the buckets."""
    with Cluster(size=1, has_gates=False) as cluster:
        yield cluster


@pytest.fixture
def alone(tmp_path):
    """Starts a NATS server that is not part of a cluster, with additional lines of configuration."""
    servers = []

    def start(lines="", has_storage=True):
        server = NATS(0, tmp_path / "nats", free_ports(3))
        server.configure([])
        file = tmp_path / "nats" / "nats.conf"
        kept = [
            line for line in file.read_text().splitlines()
            if has_storage or not line.startswith("jetstream")
        ]
        file.write_text("\n".join([*kept, lines, ""]))
        servers.append(server)
        server.start()
        return server

    yield start
    for server in servers:
        server.end()


def ask(options, *more):
    """Returns the exit code, and the verdict and the text of each line by its check."""
    answer = subprocess.run(
        [PROGRAM, "doctor", *options, *more], capture_output=True, text=True, timeout=60
    )
    lines = {}
    for line in answer.stdout.splitlines():
        lines.setdefault(line[9:24].strip(), []).append((line[:8].strip(), line[25:]))
    return answer.returncode, lines


def verdicts(lines, check):
    """Returns the verdicts of a check."""
    return [verdict for verdict, _ in lines.get(check, [])]


def addresses(cluster):
    """Returns the option that names all NATS servers."""
    return "--nats=" + ",".join(one.address for one in cluster.nats)


def test_a_cluster_without_faults(cluster, options):
    code, lines = ask(options, addresses(cluster))
    assert code == 0, lines
    assert verdicts(lines, "NATS login") == ["ok"]
    assert len(verdicts(lines, "NATS server")) == 3
    assert verdicts(lines, "bucket") == ["ok"] * 5
    assert all("3 replicas are complete" in text for _, text in lines["bucket"])
    assert verdicts(lines, "records") == ["ok"]
    assert verdicts(lines, "clock") == ["ok"]
    # The trial leaves nothing behind but the record of the node, which may not be written yet.
    assert cluster.nodes[0].metric("lectern_cluster_connected") == 1
    until(lambda: records(cluster, "KV_lectern_v1_nodes") == {1}, "one record")


def records(cluster, stream):
    """Returns the numbers of records that the servers have for a stream."""
    return {
        found["state"]["messages"] for one in cluster.nats
        for account in one.look("jsz?streams=true&accounts=true")["account_details"]
        for found in account["stream_detail"] if found["name"] == stream
    }


def test_an_old_version_is_a_warning(cluster, options):
    _, lines = ask(options, addresses(cluster))
    version = cluster.nats[0].look("varz")["version"]
    is_old = tuple(int(part) for part in version.split(".")[:2]) < (2, 11)
    assert verdicts(lines, "NATS server") == ["warning" if is_old else "ok"] * 3
    assert all(version in text for _, text in lines["NATS server"])


def test_a_server_that_is_down_and_then_the_quorum(options):
    with Cluster(size=1, has_gates=False) as cluster:
        cluster.nats[2].end()
        # The other servers may have to elect leaders first.
        code, lines = until(
            lambda: next((said for said in [ask(options, addresses(cluster))]
                          if verdicts(said[1], "records") == ["ok"]), None),
            "the records can be used", 60,
        )
        assert code == 1
        assert sorted(verdicts(lines, "NATS server")).count("problem") == 1
        cluster.nats[1].end()
        code, lines = ask(options, addresses(cluster))
        assert code == 1
        assert verdicts(lines, "NATS server").count("problem") == 2
        assert verdicts(lines, "records") == []
        [(verdict, text)] = lines["NATS"]
        assert verdict == "problem" and "more than half" in text


def test_a_server_without_storage(alone, options):
    code, lines = ask(options, "--nats", alone(has_storage=False).address)
    assert code == 1
    assert verdicts(lines, "JetStream") == ["warning"]
    [(verdict, text)] = lines["NATS"]
    assert verdict == "problem" and "jetstream" in text


def test_buckets_that_do_not_exist_are_left_to_the_server(alone, options):
    server = alone()
    code, lines = ask(options, "--nats", server.address)
    assert code == 0, lines
    assert verdicts(lines, "records") == ["warning"]
    assert server.look("jsz")["streams"] == 0


def test_more_replicas_than_servers_are_a_problem(alone, options):
    server = alone()
    code, lines = ask(options, "--nats", server.address, "--nats-replicas", "3")
    assert code == 1
    [(verdict, text)] = lines["NATS"]
    assert verdict == "problem" and "single server" in text and "3 replicas" in text
    code, lines = ask(options, "--nats", server.address, "--nats-replicas", "1")
    assert code == 0, lines
    assert server.look("jsz")["streams"] == 0


def test_wrong_credentials(alone, options, tmp_path):
    server = alone("authorization { user: lectern, password: right }")
    word = tmp_path / "password"
    for password, expected in (("wrong", 1), ("right", 0)):
        word.write_text(password)
        code, lines = ask(
            options, "--nats", server.address, "--nats-user", "lectern", "--nats-password-file", word
        )
        assert code == expected, lines
        assert verdicts(lines, "NATS login") == ([] if expected else ["ok"])


def test_missing_permissions(alone, options):
    server = alone(
        'authorization { default_permissions: { publish: ["lectern.v1.>"], subscribe: [">"] },'
        " users: [{ user: a, password: b }] }"
    )
    code, lines = ask(options, "--nats", server.address.replace("//", "//a:b@"))
    assert code == 1
    [(verdict, text)] = lines["NATS"]
    assert verdict == "problem" and "ermission" in text
    assert not any("a:b@" in text for found in lines.values() for _, text in found)
