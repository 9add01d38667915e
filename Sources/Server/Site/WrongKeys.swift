internal import Rates
internal import Synchronization

/// The wrong keys that each address has sent over HTTP, to any thread of the process.
///
/// A page whose key was changed sends several requests before it notices, so a few are free.
final class WrongKeys: Sendable {
  private let limiter = Mutex(RateLimiter(attempts: 21))

  /// Whether an address is banned at a time in seconds.
  func isBanned(_ address: String, at now: Double) -> Bool {
    limiter.withLock { $0.isBanned(address, at: now) }
  }

  /// Counts a wrong key of an address at a time in seconds.
  func note(_ address: String, at now: Double) { limiter.withLock { $0.note(address, at: now) } }
}
