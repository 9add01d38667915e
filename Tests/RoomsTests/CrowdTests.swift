import Testing

@Suite("A crowd on lines of all kinds")
struct CrowdTests {
  @Test("twenty members see, hold and know the same whatever happens", arguments: UInt64(1)...12)
  func twenty(seed: UInt64) {
    let crowd = Crowd(seed: seed, people: 20)
    do {
      try crowd.run(seconds: 40)
    } catch {
      Issue.record("SEED=\(seed) at \(crowd.now) s: \(error)")
    }
    print("SEED=\(seed)", crowd.counts)
  }

  @Test("so do two hundred", arguments: UInt64(1)...2)
  func twoHundred(seed: UInt64) {
    let crowd = Crowd(seed: seed, people: 200)
    do {
      try crowd.run(seconds: 15)
    } catch {
      Issue.record("SEED=\(seed) at \(crowd.now) s: \(error)")
    }
    print("SEED=\(seed)", crowd.counts)
  }

  @Test("a seed gives the same again")
  func determinism() throws {
    let (first, second) = (Crowd(seed: 5, people: 12), Crowd(seed: 5, people: 12))
    try first.run(seconds: 12)
    try second.run(seconds: 12)
    #expect(first.trace == second.trace)
    #expect(first.counts == second.counts)
  }
}
