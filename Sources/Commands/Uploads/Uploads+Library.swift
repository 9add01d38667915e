internal import Library
internal import Telemetry

extension Uploads {
  /// The shelf for books that came through the page and name no other.
  static let collection = "Uploads"

  /// Files for a library, kept in its data folder until they are whole.
  convenience init(library: BookLibrary, sizeMax: Int, log: Log) {
    self.init(folder: library.uploadsFolder, sizeMax: sizeMax, log: log) { path, upload, digest in
      do throws(ImportFault) {
        let book = try library.importFile(
          path,
          name: upload.name,
          collection: upload.collection ?? Self.collection,
          isMove: true,
          digest: digest
        )
        return .success(book.id)
      } catch { return .failure(Refusal(message: "\(error)", canRetry: error.canRetry)) }
    }
  }
}
