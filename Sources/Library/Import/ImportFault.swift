package import PressProtocol

/// A reason that a book could not be imported.
package enum ImportFault: Error, Equatable, CustomStringConvertible {
  /// A file cannot be read or written; the text is written for readers.
  case file(String)
  /// The disk is full; the text is written for readers.
  case noRoom(String)
  /// The document cannot be read.
  case press(PressFault)
  /// The catalogue cannot be written.
  case catalogue(DatabaseError)
  /// The folder contains nothing that can be a page.
  case noImages(path: String)
  /// The file changed while it was being read.
  case changed(path: String)
  /// The library is being closed.
  case stopped

  /// Whether another try with the same file may succeed.
  package var canRetry: Bool {
    switch self {
    case .noImages: false
    case .file, .noRoom, .catalogue, .changed, .stopped: true
    case .press(let fault): !fault.isLasting
    }
  }

  /// What is wrong and what to do.
  package var description: String {
    switch self {
    case .file(let text), .noRoom(let text): text
    case .press(let fault): fault.message
    case .catalogue(let error): LibraryFault(error).description
    case .noImages(let path):
      "The folder \(path) contains no images. Choose a folder of JPEG, PNG, WebP or SVG files."
    case .changed(let path): "The file \(path) changed while it was read. Import it again."
    case .stopped: "The library was closed during the import. Import the book again."
    }
  }
}

/// The progress of an import.
package enum ImportProgress: Equatable, Sendable {
  /// The file is being read, with the number of bytes read so far.
  case reading(bytes: Int, of: Int)
  /// The document is being opened.
  case opening
  /// The images of an archive are being extracted, with their number so far.
  case extracting(images: Int)
}

/// The result of importing a book from the folder.
struct Shelved: Sendable {
  var place: FilePlace
  /// The files of the book that cannot be used.
  var notes: [String] = []
  /// Why the book cannot be read; nil if it can.
  ///
  /// The shelf then shows only the reason.
  var fault: PressFault?
}
