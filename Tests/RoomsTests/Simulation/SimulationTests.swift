import TestVectors
import Testing

@testable import Rooms

@Suite("Simulated rooms")
struct SimulationTests {
  @Test("members see the stage's own frames, whatever happens", arguments: seeds(1...60))
  func simulation(seed: UInt64) {
    var simulation = Simulation(seed: seed)
    do {
      try simulation.run(steps: 400)
      #expect(simulation.framesSeen > 50, "SEED=\(seed)")
    } catch {
      Issue.record("SEED=\(seed) at \(simulation.now) s: \(error)")
    }
  }

  @Test("equal seeds give equal results")
  func determinism() throws {
    var (first, second) = (Simulation(seed: 7), Simulation(seed: 7))
    try first.run(steps: 200)
    try second.run(steps: 200)
    #expect(first.framesSeen == second.framesSeen)
    #expect(first.trace == second.trace && first.trace != Trace())
    #expect(first.now == second.now)
    #expect(first.recalls > 0)
    #expect(first.bookFramesSeen > 50 && first.bentFramesSeen > 10)
    #expect(first.exchanges > 0)
  }
}
