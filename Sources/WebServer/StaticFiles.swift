internal import Bytes
internal import Glibc

/// The files of one directory.
struct StaticFiles: Sendable {
  private let root: String
  private let compressed = CompressedFiles()
  private let basePath: BasePath

  /// Creates the files of a directory; nil for an empty path.
  init?(root: String, basePath: BasePath = .none) throws(ServerError) {
    self.basePath = basePath
    guard !root.isEmpty else { return nil }
    guard let resolved = Self.resolve(root) else {
      throw .cannotReadStaticRoot(path: root, reason: Listeners.text(of: errno))
    }
    self.root = resolved
    compressed.compressFiles(below: resolved)
  }

  /// Returns the response to a path, or nil if it is not a regular file in the directory; text is
  /// compressed if the client accepts gzip.
  func response(path: String, acceptsGzip: Bool) -> HTTPResponse? {
    guard path.utf8.first == UInt8(ascii: "/") else { return nil }
    let wanted = path == "/" ? "/index.html" : path
    // Names that begin with a dot are never served: they leave the directory or are hidden files.
    guard !wanted.split(separator: "/").contains(where: { $0.utf8.first == UInt8(ascii: ".") })
    else { return nil }
    // Links are resolved first, and their targets are checked.
    guard let file = Self.resolve(root + wanted), file.hasPrefix(root == "/" ? "/" : root + "/")
    else { return nil }
    let type = ContentType(path: file)
    var response = HTTPResponse(contentType: type.name, body: .file(file), caching: type.caching)
    guard type.isText else { return response }
    response.fields = [.variesByCoding]
    if basePath != .none, type.isPage, let page = CompressedFiles.bytes(of: file) {
      return rewritten(page, response, acceptsGzip: acceptsGzip)
    }
    if acceptsGzip, let content = compressed.content(of: file) {
      response.body = .bytes(content.bytes)
      response.entityTag = content.entityTag
      response.fields.append(.gzip)
    }
    return response
  }

  /// Returns the response with a page whose addresses are below the base path.
  private func rewritten(
    _ page: [UInt8],
    _ response: HTTPResponse,
    acceptsGzip: Bool
  ) -> HTTPResponse {
    var (response, page) = (response, basePath.rewritten(page))
    if acceptsGzip, let packed = Gzip.compressed(page, level: 9), packed.count < page.count {
      page = packed
      response.fields.append(.gzip)
    }
    response.body = .bytes(page)
    response.entityTag = String(FNV1a.hash(page), radix: 16)
    return response
  }

  private static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// The content type that the extension of a file indicates.
struct ContentType {
  let name: String
  let caching: HTTPResponse.Caching

  /// Whether it is text, which compresses well; images are compressed already.
  var isText: Bool { name.hasPrefix("text/") || name.hasSuffix("json") }

  /// Whether it is a page, which has addresses of other files.
  var isPage: Bool { name.hasPrefix("text/html") }

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
