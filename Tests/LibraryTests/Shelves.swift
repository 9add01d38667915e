import Foundation
import Scene
import Synchronization
import Telemetry
import TestDocuments

@testable import Library

extension TemporaryFolder {
  /// Writes a file of bytes, creating its folder if necessary.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: file)
    return file.path
  }

  @discardableResult
  func write(_ name: String, _ document: FakeDocument) throws -> String {
    try write(name, document.bytes)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path + "/" + name)
  }

  func move(_ from: String, to name: String) throws {
    let target = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try FileManager.default.moveItem(atPath: path + "/" + from, toPath: target.path)
  }

  /// Sets the modification time of a file.
  func touch(_ name: String, secondsAgo: Double = 60) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -secondsAgo)],
      ofItemAtPath: path + "/" + name
    )
  }
}

/// Signals a change to a waiting thread.
final class Bell: @unchecked Sendable {
  private let condition = NSCondition()
  private var rings = 0

  var count: Int { condition.withLock { rings } }

  func ring() {
    condition.withLock {
      rings += 1
      condition.broadcast()
    }
  }

  /// Waits until a condition holds, checking at every signal and at intervals.
  func wait(seconds: Double = 30, until isSo: () -> Bool) -> Bool {
    let limit = Date(timeIntervalSinceNow: seconds)
    while !isSo() {
      condition.lock()
      _ = condition.wait(until: min(limit, Date(timeIntervalSinceNow: 0.05)))
      condition.unlock()
      if Date() > limit { return isSo() }
    }
    return true
  }
}

/// Opens libraries with a fake press.
enum Shelves {
  static func open(
    _ folder: TemporaryFolder? = nil,
    data: TemporaryFolder? = nil,
    press: FakePress = FakePress(),
    watches: Bool = false,
    worksAhead: Bool = false,
    mayDeleteFiles: Bool = false,
    settle: Double = 0.05,
    log: Log = .disabled,
    sharing: BookLibrary.Sharing? = nil,
    bell: Bell = Bell(),
    settlesFirst: Bool = true
  ) throws -> BookLibrary {
    var options = BookLibrary.Options(
      data: data?.path,
      directory: folder?.path,
      press: "",
      watches: watches,
      worksAhead: worksAhead
    )
    options.sharing = sharing
    options.mayDeleteFiles = mayDeleteFiles
    let library = try BookLibrary(
      options,
      folder: BookLibrary.opened(options.data),
      printing: press,
      pressroom: nil,
      settle: settle,
      log: log
    ) { _ in bell.ring() }
    if settlesFirst { library.settle(atMost: 60) }
    return library
  }
}

extension BookLibrary {
  /// Returns titles by collection, in the order of the shelf.
  var titles: [[String]] { catalogue().collections.map { $0.books.map(\.title) } }

  /// Returns the book with a title.
  func named(_ title: String) -> Book? { books().first { $0.title == title } }
}
