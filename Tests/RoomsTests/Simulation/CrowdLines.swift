import Fabric
import Gateway

/// The lines of a crowd, as its gateway writes to them.
final class CrowdLines: Lines {
  weak var crowd: Crowd?
  var connections: [LineID: CrowdConnection] = [:]
  /// How many of the next messages have waited for their connection.
  var waitingCount = 0
  private var fault: (any Error)?

  func send(_ bytes: UnsafeRawBufferPointer, over line: LineID) -> Bool {
    guard let crowd, let connection = connections[line] else { return false }
    do {
      return try crowd.send(bytes, over: connection)
    } catch {
      fault = fault ?? error
      return true
    }
  }

  func close(_ line: LineID, code: UInt16, reason: String) {
    crowd?.close(connections[line], code: code)
  }

  /// What was found wrong with a message that was sent.
  func takeFault() -> (any Error)? {
    defer { fault = nil }
    return fault
  }
}
