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

  private let log: Log

  init(log: Log) { self.log = log }

  // MARK: States

  /// Reads the state of a room; nil if there is none, or if it cannot be read for ten seconds.
  func read(
    _ room: String,
    of cluster: ClusterNode,
    attempt: Int = 0,
    then: @escaping @Sendable (RoomState?) -> Void
  ) {
    cluster.bus.read(.rooms, room) { [self] result in
      switch result {
      case .success(let record):
        if let state = record.flatMap({ decoded($0.value, RoomState.self) }) { return then(state) }
        DispatchQueue.global().async { [self] in
          learnFromStore(room, cluster)
          then(nil)
        }
      case .failure(let failure):
        guard attempt < Self.attempts else {
          report(failure, of: room)
          return then(nil)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) {
          self.read(room, of: cluster, attempt: attempt + 1, then: then)
        }
      }
    }
  }

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

  /// Stores the state of a room, and then calls a closure, whether it was stored or not.
  func write(
    _ state: RoomState?,
    of cluster: ClusterNode,
    then: @escaping @Sendable () -> Void = {}
  ) {
    guard var state, var value = encoded(state) else { return then() }
    for _ in 0..<12 where value.count > Bucket.rooms.valueBytesMax {
      state.thin()
      value = encoded(state) ?? []
    }
    let name = state.name
    cluster.bus.write(.rooms, name, value, after: .any) { [self] result in
      if case .failure(let failure) = result { report(failure, of: name) }
      then()
    }
    guard let code = state.codeEntry else { return }
    cluster.bus.write(.codes, code.letters, encoded(code) ?? [], after: .any) { _ in }
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
  var text: String { digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
