import Fabric
import Testing

@testable import Clustering
@testable import Commands
@testable import Server

@Suite("The clock of another node")
struct PeerClockTests {
  @Test("is taken from the quickest answer")
  func quickest() {
    var clock = PeerClock()
    #expect(clock.offset == nil)
    // The answer took long on the way back, so half of the round trip is wrong by 0.2 s.
    clock.note(sent: 10, time: 105.0, at: 10.4)
    clock.note(sent: 11, time: 106.001, at: 11.002)
    #expect(abs((clock.offset ?? 0) - 95) < 1e-9)
  }

  @Test("is asked for again after five seconds, and sooner before the first answer")
  func asks() {
    var clock = PeerClock()
    let first = [1, 1.2, 1.3].map { clock.asks(at: $0) }
    #expect(first == [true, false, true])
    clock.note(sent: 1.3, time: 5, at: 1.301)
    let later = [6, 6.4].map { clock.asks(at: $0) }
    #expect(later == [false, true])
  }

  @Test("ignores answers that cannot be true")
  func impossible() {
    var clock = PeerClock()
    clock.note(sent: 12, time: 5, at: 11)
    clock.note(sent: 10, time: .nan, at: 11)
    #expect(clock.offset == nil)
  }
}
