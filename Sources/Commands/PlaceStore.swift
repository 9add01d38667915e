internal import Dispatch
internal import Foundation
internal import Scene

/// The spreads at which the books of each room were left, kept in a file between runs.
///
/// It is written off the service thread, so that no frame waits for the disk.
///
/// A room's places name each book by its id.
struct PlaceStore: Sendable {
  private let path: String
  private let queue = DispatchQueue(label: "lectern.places")

  /// Opens the store, making its folder if there is none.
  init(folder: String) throws(CommandError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: true
      )
    } catch {
      throw .failed("--data is \"\(folder)\", but that folder cannot be made or used")
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw .failed("--data is \"\(folder)\", but nothing can be written there")
    }
    path = folder + "/places.json"
  }

  /// The places of every room, by the room's name; empty before the first run.
  func load() -> [String: [BookPlace]] {
    guard let data = FileManager.default.contents(atPath: path) else { return [:] }
    do {
      return try JSONDecoder().decode([String: [BookPlace]].self, from: data)
    } catch {
      Console.error("lectern: \(path) cannot be understood; places in books start anew")
      return [:]
    }
  }

  /// Replaces what is kept, soon.
  func save(_ places: [String: [BookPlace]]) {
    queue.async { write(places) }
  }

  /// Waits until everything is written.
  func finish() { queue.sync {} }

  private func write(_ places: [String: [BookPlace]]) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      try encoder.encode(places).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      Console.error("lectern: places in books could not be kept in \(path): \(error)")
    }
  }
}
