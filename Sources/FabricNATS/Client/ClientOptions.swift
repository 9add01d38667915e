internal import CNATS
internal import Foundation

/// The options of a connection, as the client library keeps them.
// It is created, used and released by one thread.
final class ClientOptions {
  let pointer: OpaquePointer

  init() throws(Failure) {
    var created: OpaquePointer?
    try check(natsOptions_Create(&created))
    guard let created else { throw Failure(NATS_NO_MEMORY) }
    pointer = created
  }

  deinit { natsOptions_Destroy(pointer) }

  /// Sets everything that does not depend on the receiver of the events.
  func set(_ options: NATSOptions, name: String) throws(NATSError) {
    do {
      try setServers(options.list)
      try check(natsOptions_SetName(pointer, name))
      try check(natsOptions_SetTimeout(pointer, 3000))
      try check(natsOptions_SetMaxReconnect(pointer, -1))
      try check(natsOptions_SetReconnectWait(pointer, 200))
      try check(natsOptions_SetReconnectJitter(pointer, 100, 300))
      // Nothing waits for the next connection: by then frames are stale, and requests have failed.
      try check(natsOptions_SetReconnectBufSize(pointer, 1))
      try check(natsOptions_SetFailRequestsOnDisconnect(pointer, true))
      try check(natsOptions_SetPingInterval(pointer, 2000))
      try check(natsOptions_SetMaxPingsOut(pointer, 2))
      try check(natsOptions_SetSendAsap(pointer, true))
      try check(natsOptions_SetNoEcho(pointer, true))
      // Without a deadline, a server that has stopped blocks every sender without limit.
      try check(natsOptions_SetWriteDeadline(pointer, 4000))
    } catch {
      throw NATSError(.option, "The NATS option is invalid: \(error.text)")
    }
    try setCredentials(options.credentials)
    if let tls = options.tls { try setTLS(tls) }
  }

  private func setServers(_ addresses: [String]) throws(Failure) {
    let copies = addresses.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var pointers = copies.map { UnsafePointer($0) }
    try check(natsOptions_SetServers(pointer, &pointers, Int32(clamping: pointers.count)))
  }

  private func setCredentials(_ credentials: NATSOptions.Credentials) throws(NATSError) {
    do {
      switch credentials {
      case .none: break
      case .password(let user, let password):
        try check(natsOptions_SetUserInfo(pointer, user, password))
      case .token(let token): try check(natsOptions_SetToken(pointer, token))
      case .file(let path):
        try requireFile(path)
        try check(natsOptions_SetUserCredentialsFromFiles(pointer, path, nil))
      case .key(let key, let path):
        try requireFile(path)
        try check(natsOptions_SetNKeyFromSeed(pointer, key, path))
      }
    } catch let error as NATSError {
      throw error
    } catch {
      throw NATSError(.credentials, "The NATS credentials cannot be used: \(text(error))")
    }
  }

  private func setTLS(_ tls: NATSOptions.TLS) throws(NATSError) {
    do {
      for path in [tls.authorities, tls.certificate, tls.key].compactMap({ $0 }) {
        try requireFile(path)
      }
      try check(natsOptions_SetSecure(pointer, true))
      if let path = tls.authorities {
        try check(natsOptions_LoadCATrustedCertificates(pointer, path))
      }
      if let certificate = tls.certificate {
        guard let key = tls.key else {
          throw NATSError(
            .option,
            "The certificate \(certificate) for NATS needs its key; give both"
          )
        }
        try check(natsOptions_LoadCertificatesChain(pointer, certificate, key))
      }
      if let host = tls.host { try check(natsOptions_SetExpectedHostname(pointer, host)) }
    } catch let error as NATSError {
      throw error
    } catch {
      throw NATSError(.encryption, "The TLS files for NATS cannot be used: \(text(error))")
    }
  }

  private func text(_ error: any Error) -> String { (error as? Failure)?.text ?? "\(error)" }

  private func requireFile(_ path: String) throws(NATSError) {
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw NATSError(.option, "The file \(path) for NATS cannot be read; check its name and owner")
    }
  }
}
