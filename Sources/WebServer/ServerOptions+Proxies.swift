/// What proxies report about a request.
extension ServerOptions {
  /// Returns the client of a request from an address; see ``HTTPRequest/peer``.
  ///
  /// Each proxy adds the address from which it was asked. Those of trusted proxies are passed over;
  /// what is reported before the first other one may be forged.
  func client(of head: RequestHead, from source: String) -> String {
    guard isProxy(source) else { return source }
    let clients = head.reports.map { hops in
      var client = source
      for hop in hops.reversed() {
        guard let address = PeerAddress(withPort: hop) else { break }
        client = address.source
        guard proxies.contains(address) else { break }
      }
      return client
    }
    // A proxy that writes one of the two fields passes on what the client wrote into the other.
    guard let client = clients.first, clients.allSatisfy({ $0 == client }) else { return source }
    return client
  }

  /// Returns the host of a request as pages know it: the one that a trusted proxy was asked for.
  ///
  /// It only says which pages are of the same origin; the `Host` field must name this server
  /// nevertheless, because clients can send any field through a proxy.
  func pageHost(of head: RequestHead, from source: String) -> String {
    guard isProxy(source), let host = head["x-forwarded-host"], HostName(host) != nil else {
      return head.host
    }
    return host
  }

  /// Returns by what a connection counts: its source, or the whole address of a trusted proxy.
  func source(of address: String) -> String {
    guard let peer = PeerAddress(address) else { return address }
    return proxies.contains(peer) ? peer.text : peer.source
  }

  /// Whether an address is that of a trusted proxy.
  func isProxy(_ source: String) -> Bool {
    !proxies.isEmpty && PeerAddress(source).map(proxies.contains) == true
  }

  /// Returns the origin of the page that a request comes from, as a trusted proxy reports it; nil
  /// if none does.
  func pageOrigin(of head: RequestHead, from source: String) -> String? {
    guard isProxy(source) else { return nil }
    let host = pageHost(of: head, from: source)
    // Of several proxies, the first one was asked by the client.
    let scheme = (head["x-forwarded-proto"] ?? "").split(separator: ",").first?.trimmingSpaces
    guard let scheme, ["http", "https"].contains(scheme), HostName(host) != nil else { return nil }
    return "\(scheme)://\(host)"
  }

  /// The fields that browsers send themselves, so that they cannot name a user.
  private static let browserFields: Set<String> = [
    "authorization", "connection", "content-length", "content-type", "cookie", "forwarded", "host",
    "origin", "priority", "range", "referer", "te", "upgrade", "user-agent",
  ]

  /// Whether a field can name the user that has logged in to a proxy.
  package static func isUserField(_ name: String) -> Bool {
    let name = name.lowercased()
    return RequestHead.isToken(name[...]) && !browserFields.contains(name)
      && !["accept", "cache-", "if-", "sec-"].contains { name.hasPrefix($0) }
  }

  /// Returns the user that has logged in to a trusted proxy; nil if it names none.
  ///
  /// Another source can write anything into the field. Where nobody has logged in, some proxies
  /// send the name of their variable, such as `{http.auth.user.id}` or `$remote_user`.
  func user(of head: RequestHead, from source: String) -> String? {
    guard let userField, isProxy(source), let user = head[userField], !user.isEmpty,
      !user.hasPrefix("{"), !user.hasPrefix("$")
    else { return nil }
    return user
  }

  /// Returns whether a source says for whom it asks.
  ///
  /// If that is ignored, its clients count as one.
  func report(of head: RequestHead, from source: String) -> HTTPRequest.ProxyReport {
    guard (head["x-forwarded-for"] ?? head["forwarded"]) != nil else { return .missing }
    return isProxy(source) ? .used : .ignored
  }
}
