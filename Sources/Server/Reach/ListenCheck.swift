internal import Glibc

/// Whether a server can listen at an address.
package struct ListenCheck {
  /// The numeric address.
  package let address: String
  /// The port; 0 for any free one.
  package let port: Int
  /// The option that names the port.
  let option: String

  /// Returns what is wrong and what to do; nil if a server can listen.
  package func fault() -> String? {
    let place = Endpoint.text(address, port)
    switch bindError() {
    case 0: return nil
    case EADDRINUSE:
      return "\(place) is in use; stop the program that uses it, or choose another port with"
        + " \(option)"
    case EACCES: return "\(place) is reserved for root; choose a port from 1024 on with \(option)"
    case EADDRNOTAVAIL:
      return "\(address) is not an address of this machine; correct "
        + (option == "--port" ? "--listen" : option)
    case let code:
      return "\(place) cannot be used: \(String(cString: strerror(code))); correct \(option)"
    }
  }

  /// Listens for a moment.
  /// - Returns: 0, or the system's error.
  private func bindError() -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, String(port), &hints, &list) == 0, let one = list?.pointee else {
      return EADDRNOTAVAIL
    }
    defer { freeaddrinfo(list) }
    let socket = Glibc.socket(one.ai_family, one.ai_socktype, one.ai_protocol)
    guard socket >= 0 else { return errno }
    defer { close(socket) }
    // As the server does, so that connections of a previous one that are ending do not matter.
    var isOn: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    guard bind(socket, one.ai_addr, one.ai_addrlen) == 0, listen(socket, 1) == 0 else {
      return errno
    }
    return 0
  }
}

extension ReadingServer.Options.Network {
  /// Throws ``StartError`` if a server could not listen at an address.
  func checkListening() throws(StartError) {
    for (_, check) in listenChecks {
      if let fault = check.fault() { throw .failed("The server cannot listen: \(fault).") }
    }
  }

  /// The addresses that a server listens at, each with what it is for.
  package var listenChecks: [(name: String, check: ListenCheck)] {
    var checks = [("port", ListenCheck(address: listen, port: port, option: "--port"))]
    if let admin = adminListen {
      let check = ListenCheck(address: admin.address, port: admin.port, option: "--admin-listen")
      checks.append(("admin port", check))
    }
    return checks
  }
}
