import Fabric
import Gateway

/// The connections of a crowd, as its gateway writes to them.
final class CrowdClients: Clients {
  weak var crowd: Crowd?
  var connections: [ClientID: CrowdConnection] = [:]
  /// The number of next messages that have waited for their connection.
  var waitingCount = 0
  private var fault: (any Error)?

  func send(_ bytes: UnsafeRawBufferPointer, to client: ClientID) -> Bool {
    guard let crowd, let connection = connections[client] else { return false }
    do {
      return try crowd.send(bytes, over: connection)
    } catch {
      fault = fault ?? error
      return true
    }
  }

  func close(_ client: ClientID, code: UInt16, reason: String) {
    crowd?.close(connections[client], code: code)
  }

  /// Returns and clears the first fault that was found in a message.
  func drainFault() -> (any Error)? {
    defer { fault = nil }
    return fault
  }
}
