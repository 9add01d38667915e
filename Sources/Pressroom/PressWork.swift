package import PressProtocol

/// The document or images that a press works on.
///
/// A press serves one source for as long as it lives.
package enum PressSource: Hashable, Sendable {
  /// A document in the version that was requested. A press keeps its file open, so a file that
  /// replaces it is another source.
  case document(path: String, password: String, version: FileVersion? = nil)
  /// No document: each request contains its image.
  case images
}

/// A task for a press that is ready.
package enum PressTask: Hashable, Sendable {
  /// The facts that the document states about itself.
  case facts
  case outline
  case page(Int)
  case render(page: Int, height: Int)
  /// Every image of an archive, or pages laid out with a size of type. The number distinguishes
  /// extractions, because each has its own sink.
  case extract(UInt64, TypeSize)
  /// An image file, which is page `page` of its book; height 0 requests its facts only.
  case image(path: String, page: Int, height: Int)
  /// The headers of images, from the first bytes of their files.
  case headers(ImageBytes)
  /// The colours of an SVG drawing.
  case colours(ImageBytes)

  /// The page that is being worked on, counted from 0.
  package var pageNumber: Int? {
    switch self {
    case .page(let page), .render(let page, _), .image(_, let page, _): page
    case .facts, .outline, .extract, .headers, .colours: nil
    }
  }

  package var isExtraction: Bool { extraction != nil }

  /// The number of the extraction.
  var extraction: UInt64? {
    if case .extract(let number, _) = self { number } else { nil }
  }

  /// Whether a picture answers it.
  var isPicture: Bool {
    switch self {
    case .render: true
    case .image(_, _, let height): height > 0
    case .facts, .outline, .page, .extract, .headers, .colours: false
    }
  }
}

/// Bytes of image files that are sent with a request.
///
/// The number distinguishes requests, so that the bytes need not be compared.
package struct ImageBytes: Hashable, Sendable {
  package let id: UInt64
  package let files: [[UInt8]]

  package static func == (one: ImageBytes, other: ImageBytes) -> Bool { one.id == other.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A task and its source.
///
/// Requests for equal work are coalesced.
package struct PressWork: Hashable, Sendable {
  package var source: PressSource
  package var task: PressTask
}

/// The limits of a schedule; times in seconds.
package struct ScheduleLimits: Sendable {
  /// The maximum number of concurrent presses, at least 2: one is always kept free of background
  /// jobs.
  package var slots = 2
  /// The maximum number of waiting jobs.
  package var queue = 4096
  /// How long an idle press stays.
  package var idle = 60.0
  /// How long a visible page waits for less important work before interrupting it.
  package var patience = 0.5
  /// How long a job waits before it is taken ahead of its turn, one such job at a time.
  package var starvation = 20.0
  /// How long after a visible page its press is spared from background jobs.
  package var retention = 2.0
  /// The limits of a request.
  package var press = PressLimits.standard

  /// Returns the time limit of a request, in elapsed seconds.
  package func seconds(for task: PressTask) -> Double {
    switch task {
    case .facts, .outline: openingSeconds
    // The layout of a book is an extraction.
    case .extract: max(openingSeconds, Double(press.time.layoutSeconds))
    case .page, .render, .image, .headers, .colours:
      Double(press.time.pageSeconds * press.time.wallFactor)
    }
  }

  /// The time limit for opening a document, in elapsed seconds.
  package var openingSeconds: Double {
    Double(
      (press.time.openSeconds + press.time.secondsPerHundredPages * press.document.pages / 100)
        * press.time.wallFactor
    )
  }
}

extension PressWork {
  /// Returns the work of rendering a page of a document.
  ///
  /// Reads facts of the file, so it can block.
  package static func page(
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

  /// Returns the work of rendering a page that is an image file.
  package static func page(_ page: Int, image path: String, size: PageSize) -> PressWork {
    PressWork(source: .images, task: .image(path: path, page: page, height: size.height))
  }
}

extension PressFault {
  /// The fault of a press that sent a wrong reply; the press is then killed, so no reader sees
  /// this.
  package static var noReply: PressFault { .badRequest("it sent another kind of reply") }
}

extension RenditionBytes {
  /// One transparent pixel, which shows the paper behind it.
  package static var blank: RenditionBytes {
    RenditionBytes(bytes: blankPNG, mediaType: .png, width: 1, height: 1, kind: .text)
  }

  /// Whether the first bytes match the media type.
  ///
  /// A document may have taken control of its press, and browsers receive the bytes.
  package var isWhatItSays: Bool {
    switch mediaType {
    case .webp: bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
    case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
    case .png: bytes.starts(with: [0x89] + Array("PNG\r\n".utf8))
    }
  }
}

// One pixel with 8 bits of grey and 8 bits of alpha, both 0.
private let blankPNG: [UInt8] = [
  0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48,
  0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x04, 0x00, 0x00,
  0x00, 0xB5, 0x1C, 0x0C, 0x02, 0x00, 0x00, 0x00, 0x0B, 0x49, 0x44, 0x41, 0x54, 0x78,
  0xDA, 0x63, 0x60, 0x60, 0x00, 0x00, 0x00, 0x03, 0x00, 0x01, 0x2B, 0x09, 0x4D, 0x84,
  0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
]
