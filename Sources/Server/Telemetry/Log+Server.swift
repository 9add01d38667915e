internal import Library
internal import Telemetry
internal import WebServer
internal import Wire

extension LogWriter {
  /// Writes the audit to the file that the options name, or else to the data folder, if there is
  /// one.
  func openAudit(_ options: ReadingServer.Options) throws(StartError) {
    let usual = options.storage.data.map { $0 + "/audit.ndjson" }
    guard let path = options.log.audit ?? usual, path != "-" else { return }
    do throws(LogFileError) {
      openAudit(in: try LogFile(path: path))
    } catch { throw .failed("The audit \(error)") }
  }
}

// The log of a server's start. It never contains a key; keys are printed in the greeting only.
extension Log {
  /// Reports what the server is about to serve, and where.
  func starting(_ options: ReadingServer.Options) {
    info(
      .serverStarting,
      "The server starts.",
      [
        "wire": .text("\(WireVersion.current)"),
        "libwebsockets": .text(WebServer.libraryVersion),
        "listen": .text(Endpoint.text(options.network.listen, options.network.port)),
        "library": .text(options.library), "data": options.storage.data.map { .text($0) },
        "web": .text(options.web), "audit": options.log.audit.map { .text($0) },
      ]
    )
  }

  /// Reports that the server accepts connections.
  func ready(_ greeting: Greeting, _ library: BookLibrary) {
    let address = greeting.address
    info(
      .serverReady,
      "The server is ready.",
      [
        "address": .text(address.base), "reach": .text(address.reach.rawValue),
        "admin": greeting.adminURL.map { .text($0) },
        "needsKey": .flag(!greeting.access.library.isOpen), "tls": .flag(false),
        "books": .count(library.bookCount), "waiting": .count(library.waiting),
        "notes": .count(library.notes.count),
      ]
    )
  }

  /// Warns about options that make the server unsafe.
  func configured(_ options: ReadingServer.Options, _ access: Access, _ address: ServerAddress) {
    let network = options.network
    func warn(_ message: String) { warning(.configurationWarning, message) }
    let isBehindProxy = !network.proxies.isEmpty || network.publicURL != nil
    if !ServerAddress.isLoopback(network.listen), !isBehindProxy {
      warn(
        "What goes over the network is not encrypted, keys and pages alike. Put a proxy with TLS "
          + "in front, or let only a network that you trust reach the server."
      )
    }
    if network.publicURL != nil, network.proxies.isEmpty {
      warn(
        "--public-url without --trust-proxy: all readers behind the proxy count as one address "
          + "and share its limits. Let the proxy send X-Forwarded-For, and add --trust-proxy, with "
          + "the proxy's address if it is on another machine or in another container."
      )
    }
    if let url = network.publicURL, url.lowercased().hasPrefix("http://") {
      warn("--public-url begins with http://: links and keys are sent without encryption.")
    }
    if address.reach != .machine, access.library.isOpen {
      warn("Anyone who reaches the server sees the whole library, because it asks for no key.")
    }
    if !network.proxies.isEmpty, network.proxies.areLocal,
      !ServerAddress.isLoopback(network.listen)
    {
      warn(
        "--trust-proxy believes only a proxy on this machine, but others can connect directly. For "
          + "a proxy elsewhere, name its address: --trust-proxy ADDRESS."
      )
    }
    for path in options.keys.files where KeyLocation.isReadableByOthers(path) {
      warning(
        .configurationWarning,
        "Other users can read this file, which holds a key. Take that right from them (chmod 600).",
        ["file": .text(path)]
      )
    }
    if let admin = network.adminListen, !ServerAddress.isLoopback(admin.address) {
      warn("Health and metrics ask for no key, and others than this machine can read them.")
    }
  }
}
