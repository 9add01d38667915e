import TestVectors
import Testing

@testable import Rooms

@Suite("A crowd on connections of all kinds")
struct CrowdTests {
  @Test("twenty members see, hold and know the same, whatever happens", arguments: seeds(1...6))
  func twenty(seed: UInt64) {
    let crowd = Crowd(seed: seed, people: 20)
    do {
      try crowd.run(seconds: 32)
    } catch {
      Issue.record("SEED=\(seed) at \(crowd.now) s: \(error)")
    }
    let counts = crowd.counts
    #expect(counts.frames > 1000 && counts.unknownFrames < counts.frames / 10, "SEED=\(seed)")
    // Some of the random seeds make few things happen.
    guard seed <= 6 else { return }
    #expect(counts.frames > 5000 && counts.unknownFrames < counts.frames / 20, "SEED=\(seed)")
    #expect(counts.stale > 2 && counts.refused > 2 && counts.adopted > 2, "SEED=\(seed)")
    #expect(counts.wanderers > 5 && counts.passages > 50, "SEED=\(seed)")
  }

  @Test("two hundred members also see, hold and know the same", arguments: seeds(2...3))
  func twoHundred(seed: UInt64) {
    let crowd = Crowd(seed: seed, people: 200)
    do {
      try crowd.run(seconds: 12)
    } catch {
      Issue.record("SEED=\(seed) at \(crowd.now) s: \(error)")
    }
    let counts = crowd.counts
    #expect(counts.frames > 1000 && counts.comings > 190, "SEED=\(seed)")
    guard seed <= 3 else { return }
    #expect(counts.frames > 10_000, "SEED=\(seed)")
    #expect(counts.stale > 2 && counts.refused > 2 && counts.wanderers > 5, "SEED=\(seed)")
  }

  @Test("equal seeds give equal results")
  func determinism() throws {
    let (first, second) = (Crowd(seed: 5, people: 12), Crowd(seed: 5, people: 12))
    try first.run(seconds: 12)
    try second.run(seconds: 12)
    #expect(first.trace == second.trace)
    #expect(first.counts == second.counts)
    #expect(first.trace != Trace())
  }

  @Test("a few crowds together exercise every kind of event")
  func coverage() throws {
    var counts = Crowd.Counts()
    // Uses as many crowds as necessary; each one contributes most kinds, and one in fifteen plays a
    // recording.
    for seed in UInt64(10)...109 {
      let crowd = Crowd(seed: seed, people: 20)
      try crowd.run(seconds: 32)
      counts.recordings += crowd.counts.recordings
      counts.playbacks += crowd.counts.playbacks
      counts.tooSlow += crowd.counts.tooSlow
      counts.thinned += crowd.counts.thinned
      counts.presenterLost += crowd.counts.presenterLost
      counts.shownToGuests += crowd.counts.shownToGuests
      counts.hostsOut += crowd.counts.hostsOut
      counts.guestsOut += crowd.counts.guestsOut
      counts.brought += crowd.counts.brought
      counts.bent += crowd.counts.bent
      counts.bentSnapshots += crowd.counts.bentSnapshots
      let all = [
        counts.recordings, counts.playbacks, counts.presenterLost, counts.tooSlow, counts.thinned,
        counts.brought, counts.guestsOut, counts.bentSnapshots,
      ]
      if !all.contains(0) { break }
    }
    #expect(counts.recordings > 0 && counts.playbacks > 0 && counts.presenterLost > 0)
    #expect(counts.tooSlow > 0 && counts.thinned > 0)
    #expect(counts.shownToGuests > 100 && counts.brought > 0)
    #expect(counts.hostsOut > 10 && counts.guestsOut > 0)
    #expect(counts.bent > 1000 && counts.bentSnapshots > 0)
  }
}
