internal import Bytes
internal import Foundation
internal import Notices
internal import PressProtocol
internal import Pressroom
internal import SharedStore
internal import Synchronization

/// Fetches the files of books, and pictures of their pages, from a store when a page needs them.
///
/// Requests for the same file are answered together. At most three files are fetched at a time.
final class BookFetcher: Sendable {
  /// What a page needs that is not on this machine.
  enum Missing: Equatable, Sendable {
    /// The file of the book.
    case original
    /// One image of a folder, or the laid-out pages of an EPUB, by the digest.
    case asset([UInt8])
  }

  /// What has arrived.
  enum Arrival: Sendable {
    /// The files are on this machine now.
    case files
    /// The picture that another process has rendered.
    case picture(RenditionBytes)
  }

  typealias Completion = @Sendable (Result<Arrival, LibraryFault>) -> Void

  private let sharing: SharedLibrary
  private let press: any Printing
  private let queue = OperationQueue()
  private let waiting = Mutex<[String: [Completion]]>([:])
  private static let atOnce = 3
  /// The maximum size of a file, in bytes; a press reads no larger one.
  private static let bytesMax = PressLimits.standard.document.bytes
  private static let pictureMax = PressLimits.standard.picture.bytes

  init(sharing: SharedLibrary, press: any Printing) {
    (self.sharing, self.press) = (sharing, press)
    queue.maxConcurrentOperationCount = Self.atOnce
    queue.qualityOfService = .userInitiated
  }

  private var files: StoredFiles { sharing.storage.files }

  /// Fetches what a page needs; calls the completion once, on any thread.
  func fetch(
    _ missing: Missing,
    for key: RenditionKey,
    of book: Book,
    completion: @escaping Completion
  ) {
    let name: String
    switch missing {
    case .original: name = Hexadecimal.text(book.file.hash)
    case .asset(let digest): name = Hexadecimal.text(digest)
    }
    let picture = Self.pictureKey(key, book.file.hash)
    queue.addOperation { [self] in
      if key.size != .zoom, let picture, let bytes = self.picture(picture) {
        return completion(.success(.picture(bytes)))
      }
      let isFirst = waiting.withLock { waiting in
        defer { waiting[name, default: []].append(completion) }
        return waiting[name] == nil
      }
      guard isFirst else { return }
      let result: Result<Arrival, LibraryFault>
      do throws(SharingFault) {
        try bring(missing, of: book)
        result = .success(.files)
      } catch {
        result = .failure(Self.fault(error))
      }
      for completion in waiting.withLock({ $0.removeValue(forKey: name) }) ?? [] {
        completion(result)
      }
    }
  }

  /// Fetches the file of a book and waits, unless it is on this machine.
  func bring(_ book: Book) throws(LibraryFault) {
    do throws(SharingFault) { try bring(.original, of: book) } catch { throw Self.fault(error) }
  }

  /// Offers a rendered picture to other processes.
  func offer(_ bytes: RenditionBytes, for key: RenditionKey, of book: Book) {
    guard sharing.options.sharesPages, key.size != .zoom,
      let picture = Self.pictureKey(key, book.file.hash)
    else { return }
    if sharing.offers.add(picture.text, bytes.bytes) { sharing.kick(after: 0) }
  }

  private static func pictureKey(_ key: RenditionKey, _ hash: [UInt8]) -> BlobKey? {
    BlobKey.page(hash, "\(key.page)-\(key.size.rawValue)-\(key.revision)")
  }

  private static func fault(_ error: SharingFault) -> LibraryFault {
    switch error {
    case .store(let error) where error.isOutage:
      .failed(Notice(.storeSilent))
    case .file(let fault) where fault.code == ENOSPC || fault.code == EDQUOT:
      .noRoom(Notice(.libraryFull))
    case .store, .catalogue, .file, .unreadable, .changed:
      .failed(Notice(.storeFailed, ["reason": "\(error)"]))
    }
  }

  // MARK: Fetching

  /// Returns a picture that another process has rendered; nil if there is none.
  private func picture(_ key: BlobKey) -> RenditionBytes? {
    guard sharing.options.sharesPages else { return nil }
    var found: [UInt8]?
    sharing.attempt { () throws(SharingFault) in
      found = try sharing.stored(sharing.blobs.get(key, limit: Self.pictureMax))
    }
    guard let bytes = found, let type = RenditionBytes.MediaType(signature: bytes) else {
      return nil
    }
    sharing.count(\.fetched)
    return RenditionBytes(bytes: bytes, mediaType: type, width: 0, height: 0, kind: .picture)
  }

  private func bring(_ missing: Missing, of book: Book) throws(SharingFault) {
    guard !sharing.isStopped.isSet else { throw .changed }
    switch missing {
    case .original:
      try bring(book.file.hash, as: .originals)
      if book.file.isImages { try extract(book) }
      let path = StoredFiles.name(.originals, book.file.hash)
      try sharing.written { try $0.books.setFetched(path) }
    case .asset(let digest): try bring(digest, as: .assets)
    }
  }

  private func bring(_ digest: [UInt8], as kind: StoredFiles.Kind) throws(SharingFault) {
    guard !files.has(kind, digest), let key = BlobKey.book(digest) else { return }
    let path = files.unfinishedPath()
    let isThere = try sharing.stored(sharing.blobs.get(key, to: path, limit: Self.bytesMax))
    guard isThere else { throw .unreadable("its file is not in the store yet") }
    try sharing.filed(files.move(path, as: kind, hash: digest))
    sharing.count(\.fetched)
  }

  /// Extracts the images of an archive, or takes the only image.
  private func extract(_ book: Book) throws(SharingFault) {
    let path = files.path(.originals, book.file.hash)
    if book.file.format == "image", book.pages == 1 {
      _ = try sharing.filed(files.copy(path, as: .assets) { _ in })
      return
    }
    var failure: FileFault?
    do throws(PressFault) {
      let password = book.file.password
      _ = try press.extract(from: path, password: password, size: .standard) { asset in
        do throws(FileFault) {
          _ = try files.store(asset.bytes, as: .assets)
          return true
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      if let failure { throw .file(failure) }
      throw .unreadable("its images cannot be extracted: \(error)")
    }
  }
}

extension RenditionBytes.MediaType {
  /// Detects the type of a picture from its first bytes; nil for any other content.
  init?(signature bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else {
      return nil
    }
  }
}
