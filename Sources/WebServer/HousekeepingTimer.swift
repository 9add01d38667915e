internal import CLibwebsockets

/// A timer of libwebsockets for the server's own periodic work.
///
/// It belongs to a connection that stays open as long as the server, and is set only while there is
/// work.
struct HousekeepingTimer {
  private var connection: OpaquePointer?
  private var isSet = false

  /// Attaches the timer to its connection.
  mutating func attach(to connection: OpaquePointer) { self.connection = connection }

  /// Whether the timer of a connection is this one.
  func isTimer(of socket: OpaquePointer) -> Bool { socket == connection }

  /// Sets the timer, unless it is set already.
  mutating func set(within seconds: Double) {
    if !isSet { reset(within: seconds) }
  }

  /// Restarts the timer.
  mutating func reset(within seconds: Double) {
    isSet = true
    lws_set_timer_usecs(connection, Int64(seconds * 1e6))
  }

  /// Records that the timer has fired.
  mutating func expire() { isSet = false }
}
