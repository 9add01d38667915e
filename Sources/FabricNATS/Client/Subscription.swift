internal import CNATS

/// The messages of a subject, which arrive on a thread of their own.
// The client library locks the subscription.
final class Subscription: @unchecked Sendable {
  typealias Handler = @Sendable (UnsafeRawBufferPointer) -> Void

  private let pointer: OpaquePointer
  // The subscription needs its connection.
  private let connection: NATSConnection

  /// Subscribes.
  /// - Parameters:
  ///   - subject: The subject.
  ///   - connection: The connection.
  ///   - messagesMax: The maximum number of messages that wait for the handler; newer ones are
  ///     lost.
  ///   - bytesMax: The maximum size of the messages that wait for the handler, in bytes.
  ///   - handler: Takes the bytes of a message, which are valid during the call.
  /// - Throws: What the client library reports.
  init(
    _ subject: String,
    _ connection: NATSConnection,
    messagesMax: Int32,
    bytesMax: Int32,
    _ handler: @escaping Handler
  ) throws(Failure) {
    self.connection = connection
    let unmanaged = Unmanaged.passRetained(Receiver(handler))
    var created: OpaquePointer?
    let status = natsConnection_Subscribe(
      &created,
      connection.pointer,
      subject,
      arrived,
      unmanaged.toOpaque()
    )
    guard status == NATS_OK, let created else {
      unmanaged.release()
      throw Failure(status)
    }
    pointer = created
    let limits = natsSubscription_SetPendingLimits(created, messagesMax, bytesMax)
    let completion = natsSubscription_SetOnCompleteCB(created, ended, unmanaged.toOpaque())
    try check(limits == NATS_OK ? completion : limits)
  }

  deinit { natsSubscription_Destroy(pointer) }
}

/// The receiver of a subscription's messages, kept until the last of them.
private final class Receiver: Sendable {
  let handler: Subscription.Handler
  init(_ handler: @escaping Subscription.Handler) { self.handler = handler }
}

private func arrived(
  _ connection: OpaquePointer?,
  _ subscription: OpaquePointer?,
  _ message: OpaquePointer?,
  _ closure: UnsafeMutableRawPointer?
) {
  defer { natsMsg_Destroy(message) }
  guard let closure, let message else { return }
  let count = Int(natsMsg_GetDataLength(message))
  let bytes = UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: max(0, count))
  Unmanaged<Receiver>.fromOpaque(closure).takeUnretainedValue().handler(bytes)
}

private func ended(_ closure: UnsafeMutableRawPointer?) {
  if let closure { Unmanaged<Receiver>.fromOpaque(closure).release() }
}
