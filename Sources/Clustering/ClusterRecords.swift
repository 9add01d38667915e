internal import Bytes
internal import Fabric
internal import Foundation
internal import Library
package import Rooms
package import Scene
internal import Synchronization
internal import Telemetry
internal import WebServer

/// The records of a cluster from which rooms continue at other nodes, and which lead a hello to its
/// room: states, codes and the rooms of readers.
package final class ClusterRecords: Sendable {
  /// The times of further attempts to read a state, in seconds; a new owner must not begin without.
  private static let attempts = 40
  private static let pause = 0.25
  /// After what time a reader that could not be stored is stored again, in seconds.
  private static let retrySeconds = 2.0

  private let bus: any ClusterBus
  /// The library, whose store keeps rooms and readers if NATS has lost them.
  private let library: BookLibrary
  private let directory: RoomDirectory
  /// The Unix time minus the time of the rooms' clock, in seconds.
  private let unixOffset: Double
  private let log: Log
  /// Encodes records in the order in which they are stored; a state with many people takes
  /// milliseconds.
  private let queue = DispatchQueue(label: "lectern.records")

  /// The revisions of the records of readers as this node knows them.
  private let revisions = Mutex<[ReaderID: UInt64]>([:])
  /// The most readers whose revisions are remembered; another one is read again.
  private static let revisionsMax = 10_000
  /// The readers that could not be stored and are stored again.
  private let unstored = Mutex<Set<ReaderID>>([])

  init(
    bus: any ClusterBus,
    library: BookLibrary,
    directory: RoomDirectory,
    unixOffset: Double,
    log: Log
  ) {
    (self.bus, self.library, self.log) = (bus, library, log)
    (self.directory, self.unixOffset) = (directory, unixOffset)
  }

  // MARK: Rooms

  /// Reads the state of a room, and learns the bookmarks of its owner; nil if there is none, or if
  /// it cannot be read for ten seconds.
  func readState(of room: String, then: @escaping @Sendable (RoomState?) -> Void) {
    read(.rooms, room, of: room) { [self] (state: RoomState?) in
      guard let state else {
        return DispatchQueue.global().async { [self] in
          learnFromStore(room)
          then(nil)
        }
      }
      read(.bookmarks, state.owner.text, of: room) { [self] (owner: ReaderRecord?) in
        if let owner {
          directory.learn(owner, at: WebServer.now())
          return then(state)
        }
        DispatchQueue.global().async { [self] in
          learnFromStore(state.owner)
          then(state)
        }
      }
    }
  }

  /// Reads a record that a room needs, with further attempts; nil if there is none.
  private func read<Value: Decodable & Sendable>(
    _ bucket: Bucket,
    _ key: String,
    of room: String,
    attempt: Int = 0,
    then: @escaping @Sendable (Value?) -> Void
  ) {
    bus.read(bucket, key) { [self] result in
      switch result {
      case .success(let record): then(record.flatMap { decoded($0.value) })
      case .failure(let failure):
        guard attempt < Self.attempts else {
          report(failure, of: room)
          return then(nil)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) {
          self.read(bucket, key, of: room, attempt: attempt + 1, then: then)
        }
      }
    }
  }

  /// Reads a reader from the store.
  private func learnFromStore(_ id: ReaderID) {
    do throws(LibraryFault) {
      if let reader = try library.freshReader(id) { directory.learn(reader, at: WebServer.now()) }
    } catch {
      log.error(.bookmarkFailed, "A reader could not be read.", ["reason": .text("\(error)")])
    }
  }

  /// Reads the record of a shared room and its owner from the store, for a room of which NATS knows
  /// nothing.
  private func learnFromStore(_ room: String) {
    do throws(LibraryFault) {
      guard let record = try library.freshRoom(named: room) else { return }
      directory.learn(record)
      learnFromStore(record.owner)
    } catch {
      log.error(
        .roomFailed,
        "A shared room could not be read.",
        ["room": .text(room), "reason": .text("\(error)")],
        collapsing: "room.read"
      )
    }
  }

  /// Stores the state of a room.
  /// - Parameters:
  ///   - state: The state.
  ///   - then: Called on any thread at the end, with whether the state was stored.
  package func write(_ state: RoomState, then: @escaping @Sendable (Bool) -> Void) {
    queue.async { [self] in
      if let value = bytes(of: state) {
        bus.write(.rooms, state.name, value, after: .any) { [self] result in
          guard case .failure(let failure) = result else { return then(true) }
          report(failure, of: state.name)
          // What can never succeed is not tried again.
          if case .refused = failure { then(true) } else { then(false) }
        }
      } else {
        then(true)
      }
      guard let code = state.codeEntry, let value = encoded(code) else { return }
      bus.write(.codes, code.letters, value, after: .any) { _ in }
    }
  }

  /// Returns a state as bytes, with as many people as the limit admits.
  private func bytes(of state: RoomState) -> [UInt8]? {
    var (state, value) = (state, encoded(state))
    for _ in 0..<12 where value?.count ?? 0 > Bucket.rooms.valueBytesMax {
      state.removeHalfOfPeople()
      value = encoded(state)
    }
    return value
  }

  // MARK: Ways to rooms

  /// The number of bookmarks of a reader that a record holds; the store has all of them.
  private static let bookmarksMax = 16

  /// Stores the room and the latest bookmarks of a reader, with further attempts.
  ///
  /// Rooms of a reader can be at several nodes, so a record is only written over the one that this
  /// node knows; another one is learned first.
  package func write(_ id: ReaderID) {
    queue.async { [self] in
      guard var reader = directory.reader(id, unixOffset: unixOffset) else { return }
      reader.bookmarks = Array(reader.bookmarks.suffix(Self.bookmarksMax))
      guard let value = encoded(reader) else { return }
      let room = reader.room
      let known = revisions.withLock { $0[id] }
      let condition = known.map { WriteCondition.revision($0) } ?? .absent
      bus.write(.bookmarks, id.text, value, after: condition) { [self] result in
        switch result {
        case .success(let revision): note(revision, of: id)
        case .failure(.conflict): learnAndWrite(id, of: room)
        case .failure(let failure): retry(id, of: room, after: failure)
        }
      }
    }
  }

  /// Learns the record of a reader that another node has written, and writes both as one.
  private func learnAndWrite(_ id: ReaderID, of room: String) {
    bus.read(.bookmarks, id.text) { [self] result in
      switch result {
      case .success(let record):
        if let reader: ReaderRecord = record.flatMap({ decoded($0.value) }) {
          directory.learn(reader, at: WebServer.now())
        }
        note(record?.revision, of: id)
        // Nodes that write at the same time take turns.
        queue.asyncAfter(deadline: .now() + .random(in: 0...0.05)) { [weak self] in
          self?.write(id)
        }
      case .failure(let failure): retry(id, of: room, after: failure)
      }
    }
  }

  private func retry(_ id: ReaderID, of room: String, after failure: RecordFailure) {
    report(failure, of: room)
    if case .refused = failure { return }
    guard unstored.withLock({ $0.insert(id).inserted }) else { return }
    queue.asyncAfter(deadline: .now() + Self.retrySeconds) { [weak self] in
      guard let self else { return }
      unstored.withLock { _ = $0.remove(id) }
      write(id)
    }
  }

  private func note(_ revision: UInt64?, of id: ReaderID) {
    revisions.withLock { revisions in
      if revisions.count >= Self.revisionsMax { revisions = [:] }
      revisions[id] = revision
    }
  }

  /// Reads which room a code opens; nil if there is none.
  func readRoom(ofCode letters: String, then: @escaping @Sendable (RoomState.CodeEntry?) -> Void) {
    bus.read(.codes, letters) { [self] result in
      then((try? result.get()).flatMap { decoded($0.value) })
    }
  }

  /// Reads what is known of a reader; nil if nothing is.
  func read(_ id: ReaderID, then: @escaping @Sendable (ReaderRecord?) -> Void) {
    bus.read(.bookmarks, id.text) { [self] result in
      let record: ReaderRecord? = (try? result.get()).flatMap { decoded($0.value) }
      if let record { return then(record) }
      DispatchQueue.global().async { [self] in
        do throws(LibraryFault) { then(try library.freshReader(id)) } catch {
          log.error(.bookmarkFailed, "A reader could not be read.", ["reason": .text("\(error)")])
          then(nil)
        }
      }
    }
  }

  // MARK: Values

  private func encoded(_ value: some Encodable) -> [UInt8]? {
    do { return Array(try JSONEncoder().encode(value)) } catch {
      log.error(.clusterFault, "A record cannot be encoded.", ["reason": .text("\(error)")])
      return nil
    }
  }

  private func decoded<Value: Decodable>(_ bytes: [UInt8]) -> Value? {
    do { return try JSONDecoder().decode(Value.self, from: Data(bytes)) } catch {
      log.error(.clusterFault, "A record cannot be decoded.", ["reason": .text("\(error)")])
      return nil
    }
  }

  private func report(_ failure: RecordFailure, of room: String) {
    log.warning(
      .clusterFault,
      "The state of a room could not be stored or read.",
      ["room": .text(room), "reason": .text("\(failure)")],
      collapsing: "cluster.state"
    )
  }
}

extension ReaderID {
  /// The identity in hexadecimal digits.
  var text: String { Hexadecimal.text(digest) }
}
