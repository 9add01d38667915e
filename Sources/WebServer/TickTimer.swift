internal import CLibwebsockets
internal import Glibc

/// A timer for a single point in time, at which its descriptor becomes readable.
final class TickTimer {
  let descriptor = lectern_timer()
  private var scheduled: Int64 = 0

  /// Sets the time, in seconds of ``WebServer/now()``, and replaces the previous one; nil for none.
  ///
  /// A time in the past expires immediately.
  func set(_ time: Double?) {
    // A time that is not a number expires immediately, so that nobody waits forever.
    let nanoseconds = time.map { $0 > 1e-9 ? Int64(min($0, 4e9) * 1e9) : 1 } ?? 0
    guard nanoseconds != scheduled else { return }
    scheduled = nanoseconds
    _ = lectern_timer_set(descriptor, nanoseconds)
  }

  /// Sets the time, unless the timer is set to an earlier one.
  func set(noLaterThan time: Double) {
    if scheduled == 0 || Double(scheduled) / 1e9 > time { set(time) }
  }

  /// Resets the timer; returns false if it has not expired.
  func consume() -> Bool {
    var expirations: UInt64 = 0
    guard read(descriptor, &expirations, 8) == 8 else { return false }
    scheduled = 0
    return true
  }
}
