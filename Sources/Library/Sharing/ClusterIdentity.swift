internal import Bytes
internal import Foundation
internal import SharedStore
internal import Telemetry

/// The secrets that the processes of a cluster have in common: equal content has the same id on all
/// of them, and one key opens the library on all of them.
struct ClusterIdentity: Codable, Equatable, Sendable {
  /// The secret from which ids are derived, in hexadecimal.
  var secret: String
  /// The key of the library.
  var key: String

  static let blob = "cluster/identity.json"
  private static let bytesMax = 4096
  /// The file of a data folder that names the store whose identity the folder has.
  private static let joinedName = "store.joined"

  /// Makes the identity of a cluster that of a data folder, before the folder is opened.
  ///
  /// A folder that has it already waits for nothing: a store that does not answer must not delay
  /// a server that has books to show.
  /// - Parameters:
  ///   - store: The store of the cluster.
  ///   - files: The files of the data folder.
  ///   - seconds: The maximum time to wait for the store.
  /// - Throws: ``JoiningFault`` if the store does not answer in time. A server that began with an
  ///   identity of its own would give its books and rooms other names than the cluster.
  static func join(
    _ store: any BlobStore,
    _ files: StoredFiles,
    atMost seconds: Double
  ) throws(JoiningFault) {
    if files.text(named: joinedName) == store.location { return }
    let adopted = TimeLimit.run(seconds) { () -> Result<Bool, SharingFault> in
      do throws(SharingFault) { return .success(try adopt(from: store, into: files)) } catch {
        return .failure(error)
      }
    }
    switch adopted {
    case .success: return
    case .failure(let fault): throw JoiningFault(reason: "\(fault)")
    case nil:
      throw JoiningFault(
        reason: "The store \(store.location) has not answered for \(Int(seconds)) seconds."
      )
    }
  }

  /// Takes over the identity of a cluster; the first process gives the cluster its own.
  ///
  /// A process uses the identity in its data folder when it opens that, so call this before. Books
  /// that this process already has keep their ids until the store has others for them.
  /// - Returns: Whether the data folder had another identity.
  static func adopt(
    from store: any BlobStore,
    into files: StoredFiles
  ) throws(SharingFault) -> Bool {
    let own: ClusterIdentity
    do throws(FileFault) {
      own = ClusterIdentity(
        secret: Hexadecimal.text(try FolderSecret.stored(in: files)),
        key: try files.libraryKey()
      )
    } catch { throw .file(error) }
    guard let identity = try acquired(from: store, offering: own) else {
      noteJoined(store, files)
      return false
    }
    guard let secret = Hexadecimal.digest(identity.secret), identity.key.utf8.count >= 16,
      identity.key.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { throw .unreadable("\(blob) is not the identity of a cluster") }
    do throws(FileFault) {
      try files.replace(FolderSecret.name, secret)
      try files.replaceLibraryKey(identity.key)
    } catch { throw .file(error) }
    noteJoined(store, files)
    return true
  }

  /// Without the note, which a full disk can prevent, the next start asks the store again.
  private static func noteJoined(_ store: any BlobStore, _ files: StoredFiles) {
    try? files.replace(joinedName, Array(store.location.utf8))
  }

  /// Returns the identity of the cluster if it differs; offers one if there is none.
  private static func acquired(
    from store: any BlobStore,
    offering own: ClusterIdentity
  ) throws(SharingFault) -> ClusterIdentity? {
    if let known = try read(store) { return known == own ? nil : known }
    guard let key = BlobKey(blob) else { return nil }
    let bytes = try SharedCoding.bytes(own)
    do throws(BlobStoreError) { try store.put(bytes, at: key) } catch { throw .store(error) }
    // Of two that offer at the same time, the last one holds.
    return try read(store).flatMap { $0 == own ? nil : $0 }
  }

  private static func read(_ store: any BlobStore) throws(SharingFault) -> ClusterIdentity? {
    guard let key = BlobKey(blob) else { return nil }
    let bytes: [UInt8]?
    do throws(BlobStoreError) { bytes = try store.get(key, limit: bytesMax) } catch {
      throw .store(error)
    }
    return try bytes.map { bytes throws(SharingFault) in
      try SharedCoding.record(ClusterIdentity.self, bytes)
    }
  }
}

/// A server cannot take over the identity of its cluster.
struct JoiningFault: Error, Equatable, CustomStringConvertible {
  /// What the store or the disk said, as a sentence.
  let reason: String

  var description: String {
    "\(reason) The first start with a store takes the cluster's key and secret from it. Start "
      + "again when the store answers, or correct --store."
  }
}
