internal import Dispatch
internal import Glibc
internal import Synchronization

/// A WebSocket connection to a server without a page, for tests and measurements.
///
/// It connects immediately, on a separate thread. Any thread can use it.
package final class ClientConnection: Sendable {
  /// An event of the connection; events are delivered in order.
  package enum Event: Equatable, Sendable {
    /// The WebSocket opened.
    case opened
    /// A complete binary message arrived, at a time of CLOCK_MONOTONIC in seconds.
    case message([UInt8], receivedAt: Double)
    /// The WebSocket closed; 1006 means without a close frame.
    ///
    /// This is the last event.
    case closed(code: UInt16, reason: String)
    /// The WebSocket did not open, for the given reason.
    ///
    /// This is the last event.
    case failed(String)
  }

  /// The server and the options of a connection.
  package struct Target: Equatable, Sendable {
    /// The address or name of the server.
    package var host: String
    /// Its port.
    package var port: Int
    /// The path of the WebSocket.
    package var path: String
    /// The requested subprotocol.
    package var subprotocol: String
    /// The `Origin` header, which browsers send; nil for none.
    package var origin: String?

    /// Creates a target with the path and the subprotocol of Lectern.
    package init(
      host: String = "127.0.0.1",
      port: Int,
      path: String = "/ws",
      subprotocol: String = "lectern.v1",
      origin: String? = nil
    ) {
      (self.host, self.port, self.path, self.subprotocol) = (host, port, path, subprotocol)
      self.origin = origin
    }
  }

  private let mailbox = ConnectionMailbox()

  /// Starts to connect.
  package init(to target: Target) {
    let loop = Unmanaged.passRetained(ConnectionLoop(target: target, mailbox: mailbox))
    var thread = pthread_t()
    if pthread_create(&thread, nil, runConnectionLoop, loop.toOpaque()) == 0 {
      pthread_detach(thread)
    } else {
      loop.release()
      mailbox.report(.failed("no thread for the connection"))
    }
  }

  deinit { mailbox.requestClose() }

  /// Sends a binary message once the WebSocket is open.
  ///
  /// Does nothing after the WebSocket has closed.
  package func send(_ message: [UInt8]) { mailbox.enqueue(message) }

  /// Waits for the next event; nil if none arrives within a number of seconds.
  package func receive(timeout: Double) -> Event? { mailbox.nextEvent(timeout: timeout) }

  /// Closes the WebSocket with code 1000, after all messages sent before.
  ///
  /// The event `closed` follows.
  package func close() { mailbox.requestClose() }
}

// At file scope, so that it belongs to no actor.
private nonisolated func runConnectionLoop(
  _ argument: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  if let argument { Unmanaged<ConnectionLoop>.fromOpaque(argument).takeRetainedValue().run() }
  return nil
}
