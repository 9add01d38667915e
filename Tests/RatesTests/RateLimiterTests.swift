import Rates
import Testing

@Suite("A rate limiter")
struct RateLimiterTests {
  @Test("bans an address for a minute after too many wrong keys, and no other", arguments: [5, 21])
  func banned(attempts: Int) {
    var limiter = RateLimiter(attempts: attempts)
    for attempt in 0..<attempts {
      #expect(!limiter.isBanned("a", at: Double(attempt)))
      limiter.note("a", at: Double(attempt))
    }
    let last = Double(attempts - 1)
    #expect(limiter.isBanned("a", at: last + 59) && !limiter.isBanned("b", at: last))
    #expect(!limiter.isBanned("a", at: last + 60))
  }

  @Test("never bans an address that sends wrong keys slowly enough")
  func slow() {
    var limiter = RateLimiter(attempts: 21)
    for attempt in 0..<100 {
      limiter.note("a", at: Double(attempt) * 4)
      #expect(!limiter.isBanned("a", at: Double(attempt) * 4))
    }
  }

  @Test("forgets all addresses rather than remembering too many")
  func bounded() {
    var limiter = RateLimiter(attempts: 1)
    limiter.note("first", at: 0)
    for address in 0..<10_000 { limiter.note("\(address)", at: 30) }
    #expect(!limiter.isBanned("first", at: 31))
    #expect(limiter.isBanned("9999", at: 31))
  }
}
