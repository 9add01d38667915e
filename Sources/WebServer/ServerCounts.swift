/// What a server has done since it started.
public struct ServerCounts: Equatable, Sendable {
  /// Why a WebSocket was not let in.
  public enum Rejection: String, CaseIterable, Sendable {
    /// The path is another.
    case path
    /// The subprotocol is another.
    case proto
    /// The host is not served here.
    case host
    /// The page is of another origin.
    case origin
    /// It asked for an upgrade to something else, such as `h2c`.
    case upgrade
    /// It speaks another version of WebSocket.
    case version
    /// Its key is none.
    case key
    /// Too many are open from its address.
    case number
    /// Too many were opened from its address in a short time.
    case rate
  }

  /// What there was too much of, so that a request was refused.
  public enum Excess: String, CaseIterable, Sendable {
    /// Requests of one address at a time.
    case requests
    /// Requests that wait for the application.
    case waiting
    /// Long answers to one address at a time.
    case answers
  }

  /// Connections that came, WebSockets and others.
  public var accepted: UInt64 = 0
  /// Connections that were closed at once, since there were too many.
  public var turnedAway: UInt64 = 0
  /// Connections that had asked for nothing, or not for long, and were closed to make room.
  public var displaced: UInt64 = 0
  /// Requests that were refused for their number.
  public var refused: [Excess: UInt64] = [:]
  /// Messages that were too large to be sent.
  public var oversized: UInt64 = 0
  /// WebSockets that opened.
  public var opened: UInt64 = 0
  /// WebSockets that were refused.
  public var rejected: [Rejection: UInt64] = [:]
  /// WebSockets that closed, by the code that was said first; 1006 if none was.
  public var closed: [UInt16: UInt64] = [:]
}
