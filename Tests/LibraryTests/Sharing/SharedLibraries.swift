import Foundation
import PressProtocol
import Scene
import SharedStore
import Synchronization
import TestDocuments
import TestStores
import Testing

@testable import Library

/// The kinds of stores that several libraries share.
enum SharedStoreKind: String, CaseIterable, Sendable {
  case folder
  case bucket
}

/// A store that can be out of reach for a while.
final class TestStore {
  let store: any BlobStore
  private let folder: StoreFolder?
  private let server: S3Server?

  /// Uses a folder.
  init(_ folder: StoreFolder) { (store, self.folder, server) = (folder.store, folder, nil) }

  /// Creates an empty store; one that can be stopped has a server of its own.
  init(_ kind: SharedStoreKind, isStoppable: Bool = false) throws {
    switch kind {
    case .folder:
      let folder = try StoreFolder()
      (store, self.folder, server) = (folder.store, folder, nil)
    case .bucket:
      let server = try isStoppable ? S3Server() : S3Server.shared.get()
      (store, folder, self.server) = (try server.store(), nil, server)
    }
  }

  func stop() throws {
    try folder?.unmount()
    try server?.stop()
  }

  func start() throws {
    try folder?.mount()
    try server?.start()
  }
}

/// Libraries of several processes, each with its own data folder, that tell each other what they
/// publish.
final class SharedLibraries {
  let bell = Bell()
  private let open = Mutex<[Int: BookLibrary]>([:])
  private let store: any BlobStore
  private let announces: Bool
  /// The owner of the store, which must outlive the libraries.
  private let owner: AnyObject

  /// Creates the surroundings of libraries; without announcements they poll often.
  init(_ store: TestStore, announces: Bool = true) {
    (self.store, self.owner, self.announces) = (store.store, store, announces)
  }

  deinit { for library in open.withLock({ Array($0.values) }) { library.stop() } }

  /// The options of the library with a number.
  func sharing(_ number: Int) -> BookLibrary.Sharing {
    var sharing = BookLibrary.Sharing(store: store)
    sharing.pollSeconds = announces ? 3600 : 0.2
    sharing.retrySeconds = 0.05
    sharing.onPublish = { [weak self] keys in
      guard let self, announces else { return }
      let others = open.withLock { $0.filter { $0.key != number }.map(\.value) }
      for other in others { other.storeChanged(keys: keys) }
    }
    let ring = { @Sendable [bell] in bell.ring() }
    sharing.onRooms = { _ in ring() }
    sharing.onReaders = { _ in ring() }
    return sharing
  }

  /// Opens a library with a fake press.
  func library(
    _ number: Int,
    folder: TemporaryFolder? = nil,
    data: TemporaryFolder? = nil,
    press: FakePress = FakePress(),
    watches: Bool = false
  ) throws -> BookLibrary {
    let library = try Shelves.open(
      folder,
      data: data,
      press: press,
      watches: watches,
      worksAhead: true,
      sharing: sharing(number),
      bell: bell
    )
    add(library, number)
    return library
  }

  /// Lets a library take part in announcements.
  func add(_ library: BookLibrary, _ number: Int) { open.withLock { $0[number] = library } }

  /// Stops a library.
  func close(_ number: Int) { open.withLock { $0.removeValue(forKey: number) }?.stop() }

  /// Waits until a condition holds.
  func wait(until isSo: () -> Bool) -> Bool { bell.wait(seconds: 60, until: isSo) }
}

extension SharedLibraries: @unchecked Sendable {
  // Unchecked Sendable: all variables are behind a lock.
}
