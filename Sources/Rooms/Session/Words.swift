internal import Scene

/// Every text about books and places in books that a reader sees, except the books' own texts.
///
/// Each function returns a complete text, which callers do not join, cut or change in case.
enum Words {
  /// The name of the program.
  static let program = "Lectern"
  static let emptyLibrary = "Your library is empty"
  /// The titles of a shelf and of a book in a recording that are no longer in the library.
  static let recordedShelf = "A recorded shelf"
  static let lostBook = "A book that is no longer here"

  static func noBookFound(_ filter: String) -> String { "No book here is called “\(filter)”" }

  static func books(_ count: Int) -> String { count == 1 ? "1 book" : "\(count) books" }

  static func about(_ book: CatalogueBook) -> String {
    let detail = book.isReadable ? pages(book.pageCount) : "Cannot be opened"
    return book.author.isEmpty ? detail : "\(book.author). \(detail)"
  }

  private static func pages(_ count: Int) -> String { count == 1 ? "1 page" : "\(count) pages" }

  /// Returns the text about a book that was left open.
  static func continuing(_ about: String, at range: PageRange) -> String {
    "\(about). Continue on \(range.text(.sentence, .withTotal))"
  }

  /// Returns the text for an open book and the place where it is open, for the title of a window.
  static func open(_ title: String, _ place: String) -> String {
    title.isEmpty ? place : "\(title), \(place)"
  }

  /// Returns the title of a window, without characters that change the direction of writing.
  static func windowTitle(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar.value {
      case 0x202a...0x202e, 0x2066...0x2069: continue
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text.isEmpty ? program : "\(text) · \(program)"
  }

  /// Returns the text that is read aloud when a reader arrives somewhere.
  static func announcement(_ name: String, _ detail: String) -> String {
    name.isEmpty ? detail : detail.isEmpty ? name : "\(name). \(detail)"
  }

  /// Returns the alternative text of a face.
  static func title(ofFace face: Int, of book: CatalogueBook) -> String {
    if face == 0 { return book.title }
    guard let page = book.page(ofFace: face) else { return "" }
    let title = "Page \(book.labels[page])"
    return face == book.face(ofPage: page) ? title : title + ", second half"
  }
}

/// Every answer that tells a reader why something was not done, or what happened.
enum Answers {
  /// A second turn past the first or the last page closes the book.
  static let onceMoreCloses = "The book ends here. Turn once more to close it."
  static let onceMoreClosesAtFront = "The book begins here. Turn once more to close it."
  static let tooOften = "Too many requests. Wait a moment."
  static let hostsOnly = "Only a host can do that. Ask for the host's link."
  static let notYours = "You cannot decide that now."
  static let openBookFirst = "Open the book that you want to share."
  static let ownersRoom = "The room belongs to this reader. Nobody else decides about its owner."
  static let shareFirst = "Share the room before you bring others along."
  static let bookGone = "This book is not in the library any more."
  static let bookUnreadable = "This book cannot be opened."
  static let closeRecordingFirst = "Close the recording first."
  static let holdersOnly = "Only a reader that has the book can do that."
  static let recordingPlays = "A recording is being played. Close it, then record this session."
  static let recordsAll =
    "This server was started with --record and records all rooms into one file. "
    + "Start it without --record to record a single room."
  static let unknownCode =
    "The code is mistyped or has expired. "
    + "Codes last \(Int(RoomCode.seconds / 60)) minutes; ask for a new one."

  static func recordingEnded(_ reason: String) -> String { "The recording has ended: \(reason)." }

  static func sharesTooManyHere(_ count: Int) -> String {
    "\(count) rooms are shared from here. End a session before you share another room."
  }

  static func sharesTooMany(_ count: Int) -> String {
    "This library shares at most \(count) rooms. Ask the person who runs it."
  }
}

/// The pages of an open spread, as readers call them.
package struct PageRange: Equatable, Sendable {
  /// The context in which a text is used.
  package enum Form: Sendable {
    /// On its own: "Pages 4–5".
    case heading
    /// Within a sentence: "pages 4–5".
    case sentence
    /// In a narrow place: "4–5".
    case label
  }

  /// Whether a text also says how many pages there are.
  package enum Extent: Sendable {
    case alone, withTotal
  }

  private var labels: [String]
  /// The label of the last page; nil if it does not say how many pages there are.
  private var total: String?

  /// Creates the range from the labels of its pages, in order; without labels it is the inside of
  /// the cover.
  package init(labels: [String]) { self.labels = labels }

  init(spread: Int, of book: CatalogueBook) {
    self.init(pages: book.pages(ofSpread: spread), of: book)
  }

  /// Creates the range of the page that is printed on a face.
  init(face: Int, of book: CatalogueBook) {
    self.init(pages: book.page(ofFace: face).map { [$0] } ?? [], of: book)
  }

  private init(pages: [Int], of book: CatalogueBook) {
    labels = pages.map { book.labels[$0] }
    guard !labels.isEmpty else { return }
    let last = book.labels[book.pageCount - 1]
    // A last page with the label "B-7" does not say how many there are.
    if last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { total = last }
  }

  /// Returns the text for the pages.
  package func text(_ form: Form, _ extent: Extent = .alone) -> String {
    guard !labels.isEmpty else {
      return form == .heading ? "The inside of the cover" : "the inside of the cover"
    }
    var numbers = labels.joined(separator: "–")
    if extent == .withTotal, let total { numbers = "\(numbers) of \(total)" }
    return switch (form, labels.count) {
    case (.label, _): numbers
    case (.heading, 1): "Page \(numbers)"
    case (.heading, _): "Pages \(numbers)"
    case (.sentence, 1): "page \(numbers)"
    case (.sentence, _): "pages \(numbers)"
    }
  }
}
