/// The parts of a request's head on which the form of the response depends.
struct ResponseConditions {
  /// The sizes of JSON that is compressed on sending, in bytes.
  ///
  /// Compressing small responses gains nothing, and compressing large ones would delay other
  /// clients.
  private static let compressible = 1024...131_072

  /// Whether the method is HEAD.
  var isHead = false
  /// The `If-None-Match` field.
  var knownTags: String?
  /// Whether the client accepts gzip.
  var acceptsGzip = false

  /// Whether the client has the version of a tag, weak or strong.
  ///
  /// See RFC 9110, section 13.1.2.
  func isKnown(_ tag: String) -> Bool {
    guard let knownTags else { return false }
    return knownTags.split(separator: ",").contains { candidate in
      let candidate = candidate.trimmingSpaces
      return candidate == "*" || candidate == tag || candidate == "W/" + tag
    }
  }

  /// Returns JSON in the coding that the client accepts, and everything else unchanged.
  func coded(_ response: HTTPResponse) -> HTTPResponse {
    guard response.contentType == "application/json", case .bytes(let bytes) = response.body,
      !response.fields.contains(.gzip), Self.compressible ~= bytes.count
    else { return response }
    var response = response
    response.fields.append(.variesByCoding)
    guard acceptsGzip, let packed = Gzip.compressed(bytes, level: 1) else { return response }
    response.body = .bytes(packed)
    response.entityTag = response.entityTag.map { $0 + "-gzip" }
    response.fields.append(.gzip)
    return response
  }
}
