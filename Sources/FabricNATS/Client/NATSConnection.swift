internal import CNATS
internal import Foundation
internal import Synchronization

/// A connection to one of the servers, which changes servers by itself when it is lost.
// The client library locks the connection; any thread may use it until it is released.
final class NATSConnection: @unchecked Sendable {
  /// What a connection reports, on a thread of the client library.
  enum Event: Sendable {
    case connected
    case disconnected(String)
    case slow(subject: String, dropped: Int)
    case error(String)
    /// The connection has ended and does not reconnect.
    case closed(String)
  }

  typealias Handler = @Sendable (Event) -> Void

  let pointer: OpaquePointer

  /// Connects, and waits until it is connected.
  init(
    _ options: NATSOptions,
    name: String,
    _ handler: @escaping Handler
  ) throws(NATSError) {
    try ClientLibrary.load()
    var connection: OpaquePointer?
    let receiver = Receiver(handler)
    let unmanaged = Unmanaged.passRetained(receiver)
    do {
      let client = try ClientOptions()
      try client.set(options, name: name)
      let closure = unmanaged.toOpaque()
      try check(natsOptions_SetDisconnectedCB(client.pointer, disconnected, closure))
      try check(natsOptions_SetReconnectedCB(client.pointer, reconnected, closure))
      try check(natsOptions_SetErrorHandler(client.pointer, failed, closure))
      try check(natsOptions_SetClosedCB(client.pointer, closed, closure))
      try check(natsConnection_Connect(&connection, client.pointer))
    } catch let error as NATSError {
      unmanaged.release()
      throw error
    } catch {
      // A connection that was never made calls nobody back.
      unmanaged.release()
      throw Self.explain(error as? Failure ?? Failure(NATS_ERR), options)
    }
    guard let connection else { throw NATSError(.other, "NATS gave no connection; try again") }
    pointer = connection
  }

  deinit { natsConnection_Destroy(pointer) }

  /// Ends the connection; requests that wait fail.
  func close() { natsConnection_Close(pointer) }

  /// The maximum size of a message that the server accepts, in bytes.
  var payloadMax: Int { Int(clamping: natsConnection_GetMaxPayload(pointer)) }

  func publish(_ subject: String, _ bytes: [UInt8]) -> Failure? {
    let status = bytes.withUnsafeBytes { bytes in
      natsConnection_Publish(pointer, subject, bytes.baseAddress, Int32(clamping: bytes.count))
    }
    return status == NATS_OK ? nil : Failure(status)
  }

  /// Waits until the server has received everything.
  func flush(seconds: Double) throws(Failure) {
    try check(natsConnection_FlushTimeout(pointer, Int64(max(1, seconds * 1000))))
  }

  /// The latest error that the server reported.
  var lastError: String { Self.lastError(pointer) }

  fileprivate static func lastError(_ pointer: OpaquePointer?) -> String {
    var text: UnsafePointer<CChar>?
    _ = natsConnection_GetLastError(pointer, &text)
    let error = text.map { String(cString: $0) } ?? ""
    return error.isEmpty ? "the connection was lost" : error
  }

  private static func explain(_ failure: Failure, _ options: NATSOptions) -> NATSError {
    let servers = options.shownAddresses
    switch failure.status {
    case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED:
      let who =
        switch options.credentials {
        case .password(let user, _): "the user '\(user)' or the password"
        case .token: "the token"
        case .file(let path): "the credentials in \(path)"
        case .key(let key, _): "the key \(key)"
        case .none: "a connection without credentials"
        }
      return NATSError(
        .credentials,
        "NATS at \(servers) does not accept \(who) (\(failure.text)); check it there and here"
      )
    case NATS_SECURE_CONNECTION_WANTED:
      return NATSError(
        .encryption,
        "NATS at \(servers) does not offer TLS; configure it there, or leave out the TLS options"
      )
    case NATS_SECURE_CONNECTION_REQUIRED:
      return NATSError(.encryption, "NATS at \(servers) requires TLS; give the TLS options")
    case NATS_SSL_ERROR:
      return NATSError(
        .encryption,
        "The TLS connection to NATS at \(servers) failed (\(failure.text)); check the certificates,"
          + " their dates and the host's name"
      )
    case NATS_NO_SERVER, NATS_TIMEOUT, NATS_IO_ERROR, NATS_SYS_ERROR, NATS_CONNECTION_CLOSED:
      return NATSError(
        .unreachable,
        "No NATS server answers at \(servers) (\(failure.text)); check the addresses, and that"
          + " nats-server is running"
      )
    default:
      return NATSError(.other, "NATS at \(servers) cannot be used: \(failure.text)")
    }
  }
}

/// The receiver of a connection's callbacks, kept until the last of them.
private final class Receiver: Sendable {
  let handler: NATSConnection.Handler
  init(_ handler: @escaping NATSConnection.Handler) { self.handler = handler }
}

private func receiver(_ closure: UnsafeMutableRawPointer?) -> Receiver? {
  closure.map { Unmanaged<Receiver>.fromOpaque($0).takeUnretainedValue() }
}

private func disconnected(_ connection: OpaquePointer?, _ closure: UnsafeMutableRawPointer?) {
  receiver(closure)?.handler(.disconnected(NATSConnection.lastError(connection)))
}

private func reconnected(_ connection: OpaquePointer?, _ closure: UnsafeMutableRawPointer?) {
  receiver(closure)?.handler(.connected)
}

private func failed(
  _ connection: OpaquePointer?,
  _ subscription: OpaquePointer?,
  _ status: natsStatus,
  _ closure: UnsafeMutableRawPointer?
) {
  guard status == NATS_SLOW_CONSUMER else {
    receiver(closure)?.handler(.error(NATSConnection.lastError(connection)))
    return
  }
  var dropped: Int64 = 0
  _ = natsSubscription_GetDropped(subscription, &dropped)
  let subject = natsSubscription_GetSubject(subscription).map { String(cString: $0) } ?? ""
  receiver(closure)?.handler(.slow(subject: subject, dropped: Int(clamping: dropped)))
}

/// The last callback of a connection.
private func closed(_ connection: OpaquePointer?, _ closure: UnsafeMutableRawPointer?) {
  guard let closure else { return }
  let receiver = Unmanaged<Receiver>.fromOpaque(closure).takeRetainedValue()
  receiver.handler(.closed(NATSConnection.lastError(connection)))
}
