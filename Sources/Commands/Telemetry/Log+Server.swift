internal import Library
internal import Telemetry
internal import WebServer
internal import Wire

extension LogWriter {
  /// Keeps the audit where it is told to be, or in the data folder, if that is told.
  func keepAudit(_ options: ReadingServer.Options) throws(CommandError) {
    guard let path = options.audit ?? options.data.map({ $0 + "/audit.ndjson" }), path != "-"
    else { return }
    do throws(LogFileError) {
      keepAudit(in: try LogFile(path: path))
    } catch { throw .failed("The audit \(error)") }
  }
}

// What is logged of a server's start. Never a key: who may know one reads it in the greeting.
extension Log {
  /// Reports what is going to be served where.
  func starting(_ options: ReadingServer.Options) {
    info(
      .serverStarting,
      "The server starts.",
      [
        "wire": .text("\(WireVersion.current)"),
        "libwebsockets": .text(WebServer.libraryVersion),
        "listen": .text(Endpoint.text(options.listen, options.port)),
        "library": .text(options.library), "data": options.data.map { .text($0) },
        "web": .text(options.web), "audit": options.audit.map { .text($0) },
      ]
    )
  }

  /// Reports that connections are taken.
  func ready(_ address: ServerAddress, adminURL: String?, needsKey: Bool, library: BookLibrary) {
    info(
      .serverReady,
      "The server is ready.",
      [
        "address": .text(address.base), "reach": .text(address.reach.rawValue),
        "admin": adminURL.map { .text($0) }, "needsKey": .flag(needsKey), "tls": .flag(false),
        "books": .count(library.bookCount), "waiting": .count(library.waiting),
        "notes": .count(library.notes.count),
      ]
    )
  }

  /// Reports what somebody who runs the server should know of how it is set.
  func configured(
    _ options: ReadingServer.Options,
    _ access: Access,
    _ address: ServerAddress
  ) {
    func warn(_ message: String) { warning(.configurationWarning, message) }
    let isBehindProxy = options.trustsProxy || options.publicURL != nil
    if !ServerAddress.isLoopback(options.listen), !isBehindProxy {
      warn(
        "What goes over the network is not encrypted, keys and pages alike. Put a proxy with TLS "
          + "in front, or let only a network that you trust reach the server."
      )
    }
    if let url = options.publicURL, url.lowercased().hasPrefix("http://") {
      warn("--public-url begins with http://: links and keys are sent without encryption.")
    }
    if address.reach != .machine, access.library.isOpen {
      warn("Whoever reaches the server sees the whole library, because it asks for no key.")
    }
    if options.trustsProxy, !ServerAddress.isLoopback(options.listen) {
      warn("--trust-proxy believes only a proxy on this machine, but others can connect directly.")
    }
    if let admin = options.adminListen, !ServerAddress.isLoopback(admin.address) {
      warn("Health and metrics ask for no key, and others than this machine can read them.")
    }
  }
}
