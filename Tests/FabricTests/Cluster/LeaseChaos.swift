import Fabric
import TestCluster
import TestVectors

/// Random events for a ``LeaseSimulation``: crashes, pauses, partitions, outages and changes of
/// mind.
struct LeaseChaos {
  private let simulation: LeaseSimulation
  private let rooms = ["a", "b", "c"]

  init(_ simulation: LeaseSimulation) {
    self.simulation = simulation
    simulation.cluster.faults.loss = 0.02
    simulation.cluster.faults.lostAnswers = 0.05
    simulation.cluster.faults.falseConflicts = 0.1
    simulation.cluster.faults.staleness = 0.01
    for _ in 0..<4 { simulation.addNode() }
  }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      act()
      let pause = Double.random(in: 0...1.5, using: &simulation.random)
      try simulation.run(until: simulation.now + pause)
    }
  }

  /// Ends all trouble, and checks that every room has one owner, which all that want it know.
  mutating func heal() throws {
    simulation.cluster.faults = LocalCluster.Faults()
    simulation.cluster.hasQuorum = true
    simulation.cluster.cutOff = []
    for id in simulation.nodes.keys.sorted() { simulation.cluster.resume(id) }
    try simulation.run(until: simulation.now + 30)
    for room in rooms {
      let wanting = simulation.nodes.values.filter { $0.wanted.contains(room) }
      let owners = simulation.owners(of: room)
      guard !wanting.isEmpty else { continue }
      guard owners.count == 1 else {
        throw LeaseSimulation.Broken(description: "\(room) is owned by \(owners) in the end")
      }
      for node in wanting where node.bus.node != owners[0] {
        guard node.knowledge[room]?.owner?.node == owners[0] else {
          throw LeaseSimulation.Broken(
            description: "\(node.bus.node) does not know the owner of \(room)"
          )
        }
      }
    }
  }

  private func act() {
    let cluster = simulation.cluster
    let ids = simulation.nodes.keys.sorted()
    guard let id = ids.randomElement(using: &simulation.random),
      let room = rooms.randomElement(using: &simulation.random)
    else { return _ = simulation.addNode() }
    let isPaused = cluster.isPaused(id)
    switch Int.random(in: 0..<40, using: &simulation.random) {
    case 0: simulation.crash(id)
    case 1, 2: if ids.count < 5 { simulation.addNode() }
    case 3: cluster.pause(id)
    case 4, 5: if isPaused { cluster.resume(id) }
    case 6: cluster.cutOff = [id]
    case 7, 8: cluster.cutOff = []
    case 9: cluster.hasQuorum = false
    case 10, 11: cluster.hasQuorum = true
    case 12: cluster.expire(.leases, room)
    case 13, 14: if !isPaused { simulation.forget(room, id) }
    case 15, 16, 17:
      guard let successor = ids.randomElement(using: &simulation.random), !isPaused,
        simulation.nodes[id]?.knowledge[room]?.acting != nil
      else { return }
      simulation.release(room, id, to: successor)
    default: if !isPaused { simulation.want(room, id) }
    }
  }
}
