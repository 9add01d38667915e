import Foundation
import Glibc
import Press
import PressProtocol
import Pressroom
import Synchronization
import TestDocuments
import TestVectors
import Testing

@testable import Library

extension PressesTests {
  @Suite("A file that is replaced while its book is open")
  struct ReplacementTests {
    /// How a program replaces a file.
    enum Way: CaseIterable {
      /// Renames a complete file over it.
      case rename
      /// Renames a complete file over it and then changes its permissions.
      case renameAndPermit
      /// Writes into the same file at once.
      case inPlace
      /// Writes into the same file in pieces.
      case inPieces
      /// Writes into the same file, and gives it the times that it had.
      case inPlaceWithOldTimes
    }

    /// The number of replacements.
    private static let count =
      ProcessInfo.processInfo.environment["LECTERN_LONG_TESTS"] == "1" ? 250 : 15

    @Test("is always listed and drawn as the new book, however it is replaced, under load")
    func replaced() throws {
      let play = try ReplacementPlay(seed: 14)
      defer { play.stop() }
      for number in 1...Self.count {
        let way = Way.allCases[number % Way.allCases.count]
        try play.replace(number, way)
        let isNew = play.bell.wait(seconds: 60) { play.isListed(number) }
        #expect(isNew, "\(way) \(number): \(play.library.books())")
        guard isNew else { break }
        #expect(try play.drawnWidth() == ReplacementPlay.width(number), "\(way) \(number)")
      }
    }
  }
}

/// A library with one book whose file is replaced again and again while its pages are drawn.
private final class ReplacementPlay: @unchecked Sendable {
  // Unchecked Sendable: the random numbers are used by the test's thread only.
  let library: BookLibrary
  let bell = Bell()
  private let folder = TemporaryFolder()
  private let data = TemporaryFolder()
  private let isStopped = Flag()
  private let readers = DispatchGroup()
  private var random: SplitMix64
  private var path: String { folder.path + "/Shelf/book.pdf" }

  /// The pages of a book have this width in points, by which it is recognized.
  static func width(_ number: Int) -> Int { 300 + number % 250 }

  private static func document(_ number: Int) -> [UInt8] {
    // All have the same size, so that only the contents tell one from the other.
    let text = "Number " + String(String(number + 100_000).dropFirst())
    let bytes = PressImportTests.pdf([text, "two", "three"])
    return Array(
      String(decoding: bytes, as: UTF8.self)
        .replacing("[0 0 300 400]", with: "[0 0 \(width(number)) 400]").utf8
    )
  }

  private typealias PressImportTests = PressesTests.PressImportTests

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    try folder.write("Shelf/book.pdf", Self.document(0))
    let bell = bell
    let options = BookLibrary.Options(
      data: data.path,
      directory: folder.path,
      press: TestProgram.path("lectern-press"),
      worksAhead: false
    )
    library = try BookLibrary(options) { _ in bell.ring() }
    #expect(library.settle(atMost: 120))
    for reader in 0..<2 { read(as: reader) }
  }

  func stop() {
    isStopped.set()
    readers.wait()
    library.stop()
  }

  /// Draws the pages of the book that is listed, without an end.
  private func read(as reader: Int) {
    DispatchQueue.global().async(group: readers) { [self] in
      var page = reader
      while !isStopped.isSet {
        page = (page + 1) % 3
        guard let book = listed, let size = PageSize.allCases.first else { break }
        let request = PageRequest(book: book.id, page: page, size: size)
        library.forgetPicture(request)
        _ = answer(request)
      }
    }
  }

  private var listed: Book? {
    library.view.books.values.first { $0.isOnShelf }
  }

  private func answer(_ request: PageRequest) -> PagePicture? {
    let found = Mutex<PagePicture?>(nil)
    let done = DispatchSemaphore(value: 0)
    library.picture(request) { result in
      found.withLock { $0 = try? result.get() }
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    return found.withLock { $0 }
  }

  func replace(_ number: Int, _ way: PressesTests.ReplacementTests.Way) throws {
    // Often while the import of the last one, or a page of it, is still in progress.
    usleep(UInt32.random(in: 0..<30_000, using: &random))
    let bytes = Self.document(number)
    switch way {
    case .rename, .renameAndPermit:
      let new = folder.path + "/.new"
      try Data(bytes).write(to: URL(fileURLWithPath: new))
      rename(new, path)
      guard way == .renameAndPermit else { return }
      for mode in [0o600, 0o644, 0o640, 0o644] {
        usleep(UInt32.random(in: 0..<60_000, using: &random))
        chmod(path, mode_t(mode))
      }
    case .inPlace: write(bytes, pieces: 1)
    case .inPieces: write(bytes, pieces: 4)
    case .inPlaceWithOldTimes:
      var facts = stat()
      stat(path, &facts)
      let times = [facts.st_atim, facts.st_mtim]
      write(bytes, pieces: 1, times: times)
    }
  }

  private func write(_ bytes: [UInt8], pieces: Int, times: [timespec] = []) {
    let file = open(path, O_WRONLY)
    defer { close(file) }
    let length = bytes.count / pieces + 1
    for start in stride(from: 0, to: bytes.count, by: length) {
      let piece = Array(bytes[start..<min(bytes.count, start + length)])
      #expect(Glibc.write(file, piece, piece.count) == piece.count)
      if pieces > 1 { usleep(UInt32.random(in: 0..<3_000, using: &random)) }
    }
    if !times.isEmpty { futimens(file, times) }
  }

  /// Whether the book that is on the shelf can be read and has this number.
  func isListed(_ number: Int) -> Bool {
    guard let book = listed, book.isReadable else { return false }
    return book.file.hash == FileDigest.of(Self.document(number))
      && Int(book.shape.width) == Self.width(number)
  }

  /// Returns the width of the first page as it is drawn, in points.
  func drawnWidth() throws -> Int {
    let book = try #require(listed)
    let picture = try #require(
      answer(PageRequest(book: book.id, page: 0, size: .screen))
    )
    let bytes: [UInt8]
    switch picture.content {
    case .bytes(let found): bytes = found
    case .file(let path): bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    let header = try ImageHeaders.read(bytes)
    return Int((header.width / header.height * 400).rounded())
  }
}
