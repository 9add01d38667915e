/// The text that a server prints when it is ready: its addresses, and its key or where it is.
package struct Greeting: Sendable {
  let address: ServerAddress
  let access: Access
  /// The library's key.
  let key: String
  /// Where the library's key stands.
  let location: KeyLocation
  /// The address of health and metrics; nil for none.
  let adminURL: String?

  /// Returns the lines.
  /// - Parameter showsKey: Whether the addresses contain the library's key; otherwise, the text
  ///   says where it is.
  /// - Returns: The text, which ends with a line end.
  package func text(showsKey: Bool) -> String {
    let needsKey = !access.library.isOpen
    let end = needsKey && showsKey ? "/#key=\(key)" : "/"
    var lines = ["Lectern is open at \(address.base)\(end)"]
    lines += address.others.map { "  and at \($0)\(end)" }
    if needsKey, !showsKey {
      lines.append("The library's key is \(location); the address with it ends in /#key=KEY")
    }
    if let note = reachNote(showsKey: showsKey) { lines.append(note) }
    if let adminURL {
      lines.append("Health and metrics are at \(adminURL)/readyz and \(adminURL)/metrics")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns a sentence about who can reach the server, if there is something to know.
  private func reachNote(showsKey: Bool) -> String? {
    if address.reach == .machine {
      let advice = address.isOnLoopback ? "; --listen 0.0.0.0 lets others on the network in" : ""
      return "Only this machine can connect to it\(advice)."
    }
    guard access.library.isOpen else { return nil }
    let everybody = "Everybody who reaches it sees the whole library"
    guard access.isChangedByKey else { return everybody + "." }
    return showsKey
      ? "\(everybody); to change it, open \(address.base)/#key=\(key)."
      : "\(everybody); the key for changing it is \(location)."
  }
}
