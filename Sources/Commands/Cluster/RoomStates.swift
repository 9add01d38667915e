internal import Bytes
internal import Fabric
internal import Foundation
internal import Library
internal import Rooms
internal import Scene
internal import Telemetry

/// Stores and reads the states with which rooms continue at other nodes, and what leads a hello to
/// its room: codes and the rooms of readers.
final class RoomStates: Sendable {
  /// The times of further attempts to read a state, in seconds; a new owner must not begin without.
  private static let attempts = 40
  private static let pause = 0.25

  /// Encodes records in the order in which they are stored.
  ///
  /// A state with many people takes milliseconds. All threads share the queue, because the host and
  /// the relays of a room both store its state.
  private static let encoding = DispatchQueue(label: "lectern.states")

  private let log: Log

  init(log: Log) { self.log = log }

  // MARK: States

  /// Reads the state of a room; nil if there is none, or if it cannot be read for ten seconds.
  func read(
    _ room: String,
    of cluster: ClusterNode,
    then: @escaping @Sendable (RoomState?) -> Void
  ) {
    read(room, of: room, cluster) { [self] bytes in
      guard let state = bytes.flatMap({ decoded($0, RoomState.self) }) else {
        return DispatchQueue.global().async { [self] in
          learnFromStore(room, cluster)
          then(nil)
        }
      }
      read(Self.placeKey(room), of: room, cluster) { bytes in
        var state = state
        if let place = bytes.flatMap({ self.decoded($0, RoomPlace.self) }) { state.follow(place) }
        then(state)
      }
    }
  }

  /// Reads a record of a room, with further attempts; nil if there is none.
  private func read(
    _ key: String,
    of room: String,
    _ cluster: ClusterNode,
    attempt: Int = 0,
    then: @escaping @Sendable ([UInt8]?) -> Void
  ) {
    cluster.bus.read(.rooms, key) { [self] result in
      switch result {
      case .success(let record): then(record?.value)
      case .failure(let failure):
        guard attempt < Self.attempts else {
          report(failure, of: room)
          return then(nil)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) {
          self.read(key, of: room, cluster, attempt: attempt + 1, then: then)
        }
      }
    }
  }

  /// The key of the place in the open book of a room, beside that of its state.
  private static func placeKey(_ room: String) -> String { room + "/place" }

  /// Reads the record of a shared room from the store, for a room of which NATS knows nothing.
  private func learnFromStore(_ room: String, _ cluster: ClusterNode) {
    do throws(LibraryFault) {
      guard let record = try cluster.library.freshRoom(named: room) else { return }
      cluster.threads.directory.learn(record)
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
  ///   - state: The state; nil for nothing.
  ///   - cluster: The node.
  ///   - then: Called on any thread at the end, whether the state was stored or not.
  ///   - onFailure: Called on any thread with the room's name if the state was not stored.
  func write(
    _ state: RoomState?,
    of cluster: ClusterNode,
    then: @escaping @Sendable () -> Void = {},
    onFailure: (@Sendable (String) -> Void)? = nil
  ) {
    guard let state else { return then() }
    Self.encoding.async { [self] in
      guard let value = bytes(of: state) else { return then() }
      write(value, state.name, of: state.name, cluster, onFailure, then)
      guard let code = state.codeEntry else { return }
      cluster.bus.write(.codes, code.letters, encoded(code) ?? [], after: .any) { _ in }
    }
  }

  /// Stores the place in the open book of a room, after its state.
  func write(
    _ place: RoomPlace,
    of cluster: ClusterNode,
    onFailure: @escaping @Sendable (String) -> Void
  ) {
    Self.encoding.async { [self] in
      guard let value = encoded(place) else { return }
      write(value, Self.placeKey(place.room), of: place.room, cluster, onFailure) {}
    }
  }

  private func write(
    _ value: [UInt8],
    _ key: String,
    of room: String,
    _ cluster: ClusterNode,
    _ onFailure: (@Sendable (String) -> Void)?,
    _ then: @escaping @Sendable () -> Void
  ) {
    cluster.bus.write(.rooms, key, value, after: .any) { [self] result in
      if case .failure(let failure) = result {
        report(failure, of: room)
        onFailure?(room)
      }
      then()
    }
  }

  /// Returns a state as bytes, with as many people as the limit admits.
  private func bytes(of state: RoomState) -> [UInt8]? {
    var state = state
    for _ in 0..<12 {
      guard let value = encoded(state) else { return nil }
      if value.count <= Bucket.rooms.valueBytesMax { return value }
      state.thin()
    }
    return encoded(state)
  }

  /// Stores what is known of a reader.
  func write(_ reader: ReaderRecord, of cluster: ClusterNode) {
    guard let value = encoded(reader) else { return }
    cluster.bus.write(.places, reader.id.text, value, after: .any) { [self] result in
      if case .failure(let failure) = result { report(failure, of: reader.room) }
    }
  }

  // MARK: Ways

  /// Reads which room a code opens; nil if there is none.
  func room(
    ofCode letters: String,
    at cluster: ClusterNode,
    then: @escaping @Sendable (RoomState.CodeEntry?) -> Void
  ) {
    cluster.bus.read(.codes, letters) { [self] result in
      then((try? result.get()).flatMap { decoded($0.value, RoomState.CodeEntry.self) })
    }
  }

  /// Reads what is known of a reader; nil if nothing is.
  func reader(
    _ id: ReaderID,
    at cluster: ClusterNode,
    then: @escaping @Sendable (ReaderRecord?) -> Void
  ) {
    cluster.bus.read(.places, id.text) { [self] result in
      if let record = (try? result.get()).flatMap({ decoded($0.value, ReaderRecord.self) }) {
        return then(record)
      }
      DispatchQueue.global().async { [log] in
        do throws(LibraryFault) { then(try cluster.library.freshReader(id)) } catch {
          log.error(.placeFailed, "A reader could not be read.", ["reason": .text("\(error)")])
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

  private func decoded<Value: Decodable>(_ bytes: [UInt8], _ type: Value.Type) -> Value? {
    do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
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
