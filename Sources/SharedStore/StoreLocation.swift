/// The location of a store, as an option of a command names it.
///
/// ```swift
/// try StoreLocation("/mnt/lectern")                                        // a shared folder
/// try StoreLocation("s3://books/school?endpoint=http://10.0.0.5:9000")     // a bucket
/// ```
package enum StoreLocation: Equatable, Sendable {
  /// A shared folder.
  case folder(String)
  /// A bucket of an S3 API, without credentials.
  case bucket(S3Options)

  /// Parses a location.
  ///
  /// A path begins with a slash. The address of a bucket is
  /// `s3://BUCKET[/PREFIX][?endpoint=URL&region=NAME]`; without an endpoint it is one of Amazon.
  package init(_ text: String) throws(StoreLocationError) {
    if text.hasPrefix("/") {
      self = .folder(text)
      return
    }
    guard text.hasPrefix("s3://") else { throw .syntax(text) }
    let rest = text.dropFirst("s3://".count)
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    var options = S3Options(endpoint: "", bucket: String(path[0]))
    guard Self.isBucket(options.bucket) else { throw .bucket(options.bucket) }
    options.prefix = path.count > 1 ? String(path[1]) : ""
    while options.prefix.hasSuffix("/") { options.prefix.removeLast() }
    guard Self.isPrefix(options.prefix) else { throw .prefix(options.prefix) }
    for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let words = pair.split(separator: "=", maxSplits: 1).map(String.init)
      let value = words.count > 1 ? words[1] : ""
      switch words.first {
      case "endpoint": options.endpoint = value.hasSuffix("/") ? String(value.dropLast()) : value
      case "region": options.region = value
      default: throw .parameter(words.first ?? "")
      }
    }
    guard Self.isRegion(options.region) else { throw .region(options.region) }
    if options.endpoint.isEmpty {
      options.endpoint = "https://s3.\(options.region).amazonaws.com"
    }
    guard Self.isEndpoint(options.endpoint) else { throw .endpoint(options.endpoint) }
    self = .bucket(options)
  }

  /// Opens the store; does not connect to it.
  package func store(_ credentials: S3Credentials?) -> any BlobStore {
    switch self {
    case .folder(let path): return FolderStore(path: path)
    case .bucket(var options):
      options.credentials = credentials
      return S3Store(options)
    }
  }

  private static func isBucket(_ text: String) -> Bool {
    3...63 ~= text.utf8.count && !text.contains("..") && !text.hasPrefix(".")
      && text.utf8.allSatisfy { isLowerOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == dot }
  }

  private static func isPrefix(_ text: String) -> Bool {
    text.isEmpty
      || text.utf8.count <= 200
        && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
          !part.isEmpty && !part.hasPrefix(".")
            && part.utf8.allSatisfy {
              isLowerOrDigit($0) || 0x41...0x5A ~= $0 || "-_.".utf8.contains($0)
            }
        }
  }

  private static func isRegion(_ text: String) -> Bool {
    1...40 ~= text.utf8.count
      && text.utf8.allSatisfy { isLowerOrDigit($0) || $0 == UInt8(ascii: "-") }
  }

  /// An endpoint has a scheme, a host and perhaps a port, and nothing else.
  private static func isEndpoint(_ text: String) -> Bool {
    for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
      let rest = text.dropFirst(scheme.count)
      let host: Substring
      var port: Substring?
      if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
        host = rest[...end]
        let tail = rest[rest.index(after: end)...]
        guard tail.isEmpty || tail.hasPrefix(":") else { return false }
        port = tail.isEmpty ? nil : tail.dropFirst()
      } else {
        let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        host = parts[0]
        port = parts.count > 1 ? parts[1] : nil
      }
      if let port {
        guard let number = Int(port), 1...65535 ~= number else { return false }
      }
      return !host.isEmpty
        && host.utf8.allSatisfy {
          isLowerOrDigit($0) || 0x41...0x5A ~= $0 || "-._:[]".utf8.contains($0)
        }
    }
    return false
  }

  private static let dot = UInt8(ascii: ".")

  private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x7A ~= byte
  }
}

/// A mistake in the location of a store.
package enum StoreLocationError: Error, Equatable, CustomStringConvertible {
  /// It is neither a path nor the address of a bucket.
  case syntax(String)
  /// The name of the bucket is not valid.
  case bucket(String)
  /// The prefix is not valid.
  case prefix(String)
  /// The endpoint is not valid.
  case endpoint(String)
  /// The region is not valid.
  case region(String)
  /// There is no such parameter.
  case parameter(String)
  /// The credentials cannot be used; the text says why.
  case credentials(String)

  /// What is wrong and what to do.
  package var description: String {
    switch self {
    case .syntax(let text):
      "The store \"\(text)\" is neither a path that begins with / nor an address like "
        + "s3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=us-east-1"
    case .bucket(let text):
      "The bucket \"\(text)\" must have 3 to 63 lower-case letters, digits, - or ."
    case .prefix(let text):
      "The prefix \"\(text)\" must have only letters, digits, -, _, . and / in it"
    case .endpoint(let text):
      "The endpoint \"\(text)\" must be like http://127.0.0.1:9000, without a path"
    case .region(let text): "The region \"\(text)\" must be like us-east-1"
    case .parameter(let text): "The store has no parameter \"\(text)\"; it has endpoint and region"
    case .credentials(let text): text
    }
  }
}
