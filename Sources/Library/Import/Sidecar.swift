internal import PressProtocol

/// The package documents with which programs such as calibre describe a document beside it.
enum Sidecar {
  /// The name of one that describes the only book of its folder, in any number of formats.
  static let ofFolder = "metadata.opf"

  /// Whether a file is one, judged by its name.
  static func isOne(_ name: String) -> Bool { FileKinds.ending(of: name) == "opf" }

  /// Returns the name of one that describes a single document.
  private static func ofDocument(_ name: String) -> String { FileKinds.stem(of: name) + ".opf" }

  /// Finds the one that describes a document.
  /// - Parameters:
  ///   - name: The name of the document.
  ///   - files: The names of those in its folder.
  ///   - documents: The names of all documents in its folder.
  /// - Returns: Its name; nil if there is none.
  static func name(
    for name: String,
    among files: some Collection<String>,
    documents: some Sequence<String>
  ) -> String? {
    if files.contains(ofDocument(name)) { return ofDocument(name) }
    guard files.contains(ofFolder) else { return nil }
    let stem = FileKinds.stem(of: name)
    return documents.allSatisfy { FileKinds.stem(of: $0) == stem } ? ofFolder : nil
  }

  /// Returns a number that changes when a document, or what may describe it, does; nil if there is
  /// no such document.
  static func stamp(of path: String) -> Int? {
    guard let stamp = FileStamp(path) else { return nil }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().joined(separator: "/") + "/"
    return number(of: String(parts.last ?? ""), stamp) { FileStamp(folder + $0) }
  }

  /// Combines the stamp of a document with those of the files that may describe it.
  static func number(
    of name: String,
    _ stamp: FileStamp,
    stampOf: (String) -> FileStamp?
  ) -> Int {
    var mix = StampMix()
    mix.add(stamp)
    for file in [ofDocument(name), ofFolder] {
      if let stamp = stampOf(file), !stamp.isFolder { mix.add(stamp) }
    }
    return mix.number
  }
}

extension BookMetadata {
  /// Takes over what the file beside a book says about it.
  /// - Returns: A note if it cannot be read.
  /// - Throws: ``PressFault`` if no press can read it now.
  mutating func describe(
    by sidecar: String?,
    _ press: any Printing
  ) throws(PressFault) -> [String] {
    guard let sidecar else { return [] }
    do throws(PressFault) {
      describe(try press.facts(of: sidecar, password: ""))
      return []
    } catch {
      if error.concernsLibrary { throw error }
      return ["\(sidecar): this description of a book cannot be read and was ignored: \(error)"]
    }
  }
}
