internal import Glibc

/// The files of one directory, and of nothing outside it.
struct StaticFiles {
  private let root: String
  private let compressed = CompressedFiles()

  /// Nil for an empty path: then there are no files.
  init?(root: String) throws(ServerError) {
    guard !root.isEmpty else { return nil }
    guard let resolved = Self.resolve(root) else {
      throw .cannotReadStaticRoot(path: root, reason: Listener.text(of: errno))
    }
    self.root = resolved
    compressed.compressFiles(below: resolved)
  }

  /// The answer to a path, or nil when it names no regular file inside the directory; text is
  /// compressed for a client that accepts gzip.
  func response(path: String, acceptsGzip: Bool) -> HTTPResponse? {
    guard path.utf8.first == UInt8(ascii: "/") else { return nil }
    let wanted = path == "/" ? "/index.html" : path
    // Names that start with a dot are never pages: they step out, or were never meant to be seen.
    guard !wanted.split(separator: "/").contains(where: { $0.utf8.first == UInt8(ascii: ".") })
    else { return nil }
    // Links are followed first and judged by where they lead.
    guard let file = Self.resolve(root + wanted), file.hasPrefix(root == "/" ? "/" : root + "/")
    else { return nil }
    let type = ContentType(path: file)
    var response = HTTPResponse(contentType: type.name, body: .file(file), caching: type.caching)
    guard type.isText else { return response }
    response.fields = [.variesByCoding]
    if acceptsGzip, let content = compressed.content(of: file) {
      response.body = .bytes(content.bytes)
      response.entityTag = content.entityTag
      response.fields.append(.gzip)
    }
    return response
  }

  private static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// What the end of a file's name says about its content.
struct ContentType {
  let name: String
  let caching: HTTPResponse.Caching

  /// Whether it is text, which compression makes much smaller; pictures are compressed already.
  var isText: Bool { name.hasPrefix("text/") || name.hasSuffix("json") }

  init(path: String) {
    let file = path.split(separator: "/").last ?? ""
    let ending = file.lastIndex(of: ".").map { file[file.index(after: $0)...].lowercased() }
    (name, caching) =
      switch ending ?? "" {
      case "html": ("text/html; charset=utf-8", .revalidate)
      case "css": ("text/css; charset=utf-8", .revalidate)
      case "js", "mjs": ("text/javascript; charset=utf-8", .revalidate)
      case "json", "map": ("application/json", .revalidate)
      case "webmanifest": ("application/manifest+json", .revalidate)
      case "txt": ("text/plain; charset=utf-8", .revalidate)
      case "svg": ("image/svg+xml", .immutable)
      case "png": ("image/png", .immutable)
      case "jpg", "jpeg": ("image/jpeg", .immutable)
      case "webp": ("image/webp", .immutable)
      case "ico": ("image/x-icon", .immutable)
      case "woff2": ("font/woff2", .immutable)
      default: ("application/octet-stream", .revalidate)
      }
  }
}
