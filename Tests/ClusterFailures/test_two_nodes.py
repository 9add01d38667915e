"""The smallest cluster: two servers over one NATS server."""

from machines import Cluster
from members import Audience


def test_a_room_is_relayed_and_survives_its_owner():
    with Cluster(size=2, servers=1, has_gates=False) as cluster, Audience(cluster, guests_at=(1,)) as room:
        (guest,) = room.guests
        assert [node.owned for node in cluster.nodes] == [1, 0]
        # Only a process with NATS maps its client.
        assert all(node.maps("libnats.so") for node in cluster.nodes)
        room.host.turn()
        page = room.agree()
        assert guest.faces() == room.host.faces()

        cluster.nodes[0].kill()
        room.wait_for_new_owner()
        assert room.agree() == page
        assert guest.losses == []
        assert cluster.nodes[1].owned == 1

        room.host.turn()
        assert room.agree() != page
        room.assert_one_owner_at_a_time()
