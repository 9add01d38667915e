internal import PressProtocol

/// What a press has open.
///
/// A press serves one source for as long as it lives.
enum PressSource: Hashable, Sendable {
  /// A document as it was when it was asked for: a press keeps the file open that it was given, so
  /// what takes the file's place is another source.
  case document(path: String, password: String, version: FileVersion? = nil)
  /// No document: each request brings its image along.
  case images
}

/// What is asked of a press that is ready.
enum PressTask: Hashable, Sendable {
  /// What the document said when it was opened; asks nothing more of the press.
  case facts
  case outline
  case page(Int)
  case render(page: Int, height: Int)
  /// Every image of an archive. The number keeps two extractions apart: each has its own sink.
  case extract(UInt64)
  /// An image file, which is page `page` of its book; height 0 asks for its facts alone.
  case image(path: String, page: Int, height: Int)
  /// The headers of images, by the first bytes of their files.
  case headers(ImageBytes)
  /// The colours of a drawing.
  case colours(ImageBytes)

  /// The page that is worked on, from 0.
  var pageNumber: Int? {
    switch self {
    case .page(let page), .render(let page, _), .image(_, let page, _): page
    case .facts, .outline, .extract, .headers, .colours: nil
    }
  }

  var isExtraction: Bool {
    if case .extract = self { true } else { false }
  }
}

/// Bytes of image files that are sent along with a request.
///
/// The number tells requests apart, so that nobody has to compare the bytes.
struct ImageBytes: Hashable, Sendable {
  let id: UInt64
  let files: [[UInt8]]

  static func == (one: ImageBytes, other: ImageBytes) -> Bool { one.id == other.id }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A task and the source it is about.
///
/// Equal work is done once.
struct PressWork: Hashable, Sendable {
  var source: PressSource
  var task: PressTask
}

/// The limits of a schedule; times in seconds.
struct ScheduleLimits: Sendable {
  /// The presses that may be alive at once, at least 2: one is always kept from the background.
  var slots = 2
  /// The jobs that may wait.
  var queue = 4096
  /// How long a press stays without work.
  var idle = 60.0
  /// How long a visible page waits for work of less worth to end before it is interrupted.
  var patience = 0.5
  /// How long any job waits before it is taken ahead of its turn, one such at a time.
  var starvation = 20.0
  /// How long after a visible page its press is kept from the background.
  var keep = 2.0
  /// What a request may cost.
  var press = PressLimits.standard

  /// How long a request may take on the clock.
  func seconds(for task: PressTask) -> Double {
    switch task {
    case .facts, .outline, .extract: openingSeconds
    case .page, .render, .image, .headers, .colours: Double(press.pageSeconds * press.wallFactor)
    }
  }

  /// How long opening a document may take on the clock.
  var openingSeconds: Double {
    Double(
      (press.openSeconds + press.secondsPerHundredPages * press.pages / 100)
        * press.wallFactor
    )
  }
}

extension PressWork {
  /// The picture of a page of a document.
  ///
  /// Looks at the file, so this may block.
  static func page(
    _ page: Int,
    of path: String,
    password: String,
    size: PageSize
  ) -> PressWork {
    PressWork(
      source: .document(path: path, password: password, version: FileVersion(path)),
      task: .render(page: page, height: size.height)
    )
  }

  /// The picture of a page that is an image file.
  static func page(_ page: Int, image path: String, size: PageSize) -> PressWork {
    PressWork(source: .images, task: .image(path: path, page: page, height: size.height))
  }
}

extension PressFault {
  /// A press answered something else than it was asked; it is ended for that, so nobody sees this.
  static var noReply: PressFault { .badRequest("it answered something else") }
}

extension RenditionBytes {
  /// A transparent point: the paper shows through.
  static var blank: RenditionBytes {
    RenditionBytes(bytes: blankPNG, mediaType: .png, width: 1, height: 1, kind: .text)
  }

  /// Whether the first bytes are those of the media type.
  ///
  /// A press may have been taken over, and what it sends is handed to browsers.
  var isWhatItSays: Bool {
    switch mediaType {
    case .webp: bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
    case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
    case .png: bytes.starts(with: [0x89] + Array("PNG\r\n".utf8))
    }
  }
}

// 8 bits of grey and 8 of transparency, one point, both 0.
private let blankPNG: [UInt8] = [
  0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48,
  0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x04, 0x00, 0x00,
  0x00, 0xB5, 0x1C, 0x0C, 0x02, 0x00, 0x00, 0x00, 0x0B, 0x49, 0x44, 0x41, 0x54, 0x78,
  0xDA, 0x63, 0x60, 0x60, 0x00, 0x00, 0x00, 0x03, 0x00, 0x01, 0x2B, 0x09, 0x4D, 0x84,
  0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
]
