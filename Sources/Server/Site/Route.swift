internal import Fabric
internal import WebServer

/// The meaning of a request's method and path.
///
/// Pages are counted from 0, the front cover.
enum Route: Equatable {
  case image(book: String, page: Int, size: String)
  case ledge(collection: String)
  /// The positions of the books on a ledge.
  case spines(collection: String)
  /// The ledge with a single book.
  case bookLedge(String)
  /// The page, in a room.
  case room(String)
  /// The page that shows one room on several screens.
  case demo
  case address
  /// The page, which joins the room of a code.
  case code(String)
  /// The library's key, for a reader who has logged in to a proxy.
  case login
  case qrCode
  case recordings
  case deleteRecording(String)
  case books
  /// How far the imports from the folder are.
  case imports
  case book(String)
  case edit(String)
  case remove(String)
  case restore(String)
  case bin
  case emptyBin
  case erase(String)
  case outline(String)
  case pages(String)
  case text(book: String, page: Int)
  case unlock(String)
  case retry(String)
  /// The editions of a book in other sizes of type.
  case editions(String)
  case makeLargePrint(String)
  case search
  case uploads
  case newUpload
  case upload(String)
  case uploadPart(String)
  case cancelUpload(String)
  /// A path of the API that has only other methods.
  case otherMethod(allowed: [HTTPRequest.Method])
  /// An unknown path under `/api`.
  case unknown

  /// Parses a request; nil if the path belongs to the page's files.
  init?(_ method: HTTPRequest.Method, path: String) {
    let parts = path.split(separator: "/").map(String.init)
    let reads = method.isSafe
    switch (parts.first, parts.count) {
    case ("ledges", 2) where reads && parts[1].hasSuffix(".svg"):
      self = .ledge(collection: String(parts[1].dropLast(4)))
    case ("ledges", 2) where reads && parts[1].hasSuffix(".json"):
      self = .spines(collection: String(parts[1].dropLast(5)))
    case ("ledges", 3) where reads && parts[1] == "book" && parts[2].hasSuffix(".svg"):
      self = .bookLedge(String(parts[2].dropLast(4)))
    // The book and the page at which it was left may follow the room's name.
    case ("r", 2...3) where reads: self = .room(parts[1])
    case ("r", 4) where reads && Self.number(parts[3]) != nil: self = .room(parts[1])
    case ("c", 2) where reads: self = .code(parts[1])
    case ("demo", 1) where reads: self = .demo
    case ("b", 5) where reads && parts[2] == "p":
      guard let page = Self.number(parts[3]) else { return nil }
      self = .image(book: parts[1], page: page, size: parts[4])
    case ("api", 2...):
      let rest = Array(parts.dropFirst())
      self = Self.api(method, rest) ?? Self.otherwise(rest)
    default: return nil
    }
  }

  /// Returns what a path of the API means that the request's method does not have.
  private static func otherwise(_ parts: [String]) -> Route {
    let allowed = HTTPRequest.Method.allCases.filter { api($0, parts) != nil }
    return allowed.isEmpty ? .unknown : .otherMethod(allowed: allowed)
  }

  private static func api(_ method: HTTPRequest.Method, _ parts: [String]) -> Route? {
    let reads = method.isSafe
    switch (parts[0], parts.count) {
    case ("books", 1) where reads: return .books
    case ("imports", 1) where reads: return .imports
    case ("books", 2) where reads: return .book(parts[1])
    case ("books", 2) where method == .patch: return .edit(parts[1])
    case ("books", 2) where method == .delete: return .remove(parts[1])
    case ("books", 3) where method == .post && parts[2] == "restore": return .restore(parts[1])
    case ("bin", 1) where reads: return .bin
    case ("bin", 1) where method == .delete: return .emptyBin
    case ("bin", 2) where method == .delete: return .erase(parts[1])
    case ("books", 3) where reads && parts[2] == "outline": return .outline(parts[1])
    case ("books", 3) where reads && parts[2] == "pages": return .pages(parts[1])
    case ("books", 3) where method == .post && parts[2] == "unlock": return .unlock(parts[1])
    case ("books", 3) where method == .post && parts[2] == "retry": return .retry(parts[1])
    case ("books", 3) where reads && parts[2] == "editions": return .editions(parts[1])
    case ("books", 3) where method == .post && parts[2] == "editions":
      return .makeLargePrint(parts[1])
    case ("books", 5) where reads && parts[2] == "pages" && parts[4] == "text":
      return number(parts[3]).map { .text(book: parts[1], page: $0) }
    case ("search", 1) where reads: return .search
    case ("uploads", 1) where reads: return .uploads
    case ("uploads", 1) where method == .post: return .newUpload
    case ("uploads", 2) where reads: return .upload(parts[1])
    case ("uploads", 2) where method == .patch: return .uploadPart(parts[1])
    case ("uploads", 2) where method == .delete: return .cancelUpload(parts[1])
    case ("address", 1) where reads: return .address
    case ("login", 1) where reads: return .login
    case ("qr", 1) where method == .post: return .qrCode
    case ("recordings", 1) where reads: return .recordings
    case ("recordings", 2) where method == .delete: return .deleteRecording(parts[1])
    default: return nil
    }
  }

  private static func number(_ text: String) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  /// Whether the request changes the library.
  var isWrite: Bool {
    switch self {
    case .edit, .remove, .restore, .emptyBin, .erase, .unlock, .retry, .makeLargePrint, .newUpload,
      .upload, .uploadPart, .cancelUpload, .deleteRecording:
      true
    default: false
    }
  }

  /// The part of the library that the request shows; nil if it changes something, or shows
  /// everything or nothing.
  func shownPart(_ query: Query) -> Pass.Part? {
    switch self {
    case .image(let book, _, _), .bookLedge(let book), .book(let book), .outline(let book),
      .pages(let book), .text(let book, _), .editions(let book):
      .book(book)
    case .search: query["book"].map { .book($0) }
    case .ledge(let collection), .spines(let collection): .collection(collection)
    default: nil
    }
  }

  /// Whether the request shows the whole library.
  func showsLibrary(_ query: Query) -> Bool {
    switch self {
    case .books, .imports, .bin, .uploads, .recordings: true
    case .search: query["book"] == nil
    default: false
    }
  }

  /// The maximum size of the request's body, in bytes; 0 if it has none.
  var bodyMax: Int {
    switch self {
    case .edit, .unlock, .makeLargePrint, .newUpload: 1 << 16
    case .qrCode: QRCode.textMax
    case .uploadPart: 64 << 20
    default: 0
    }
  }
}

/// The fields of a query, such as `q=two words` and `limit=5`.
struct Query {
  private var fields: [String: String] = [:]

  init(_ parts: [String]) {
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      fields[String(pair[0])] = pair.count > 1 ? String(pair[1]) : ""
    }
  }

  subscript(_ name: String) -> String? { fields[name] }
}
