internal import Library
internal import Notices
internal import Telemetry

extension Uploads {
  /// The shelf for uploaded books that name no other.
  static let collection = "Uploads"

  /// Creates the uploads of a library, whose files are kept in its data folder until they are
  /// complete.
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
      } catch { return .failure(Refusal(notice: error.notice, canRetry: error.canRetry)) }
    }
  }
}
