internal import CNATS
internal import Fabric

/// The streams of the servers, used as collections of records that can be replaced atomically.
// The client library locks what it shares between threads; the context itself never changes.
final class JetStream: @unchecked Sendable {
  /// A message of a stream.
  struct Message {
    let sequence: UInt64
    let bytes: [UInt8]
    /// Whether the message says that the key was deleted, as other tools write it.
    let isMarker: Bool
    /// When it was stored: in seconds since 1970, by the wall clock of the server.
    let time: Double
  }

  /// What the servers say of a stream.
  struct Facts {
    /// When the stream was created, since 1970.
    let createdNanoseconds: UInt64
    let replicas: Int
    let retainsOne: Bool
    let subjects: [String]
    let lifetimeNanoseconds: Int64
    /// The name of the server that leads the stream; nil if there is none, or only one server.
    let leader: String?
    /// The servers that do not have everything that the leader has, and what each lacks.
    let late: [String]
  }

  let pointer: OpaquePointer
  // The context needs its connection.
  private let connection: NATSConnection

  /// Creates a context whose requests wait for an answer for a limited time.
  init(_ connection: NATSConnection, waitMilliseconds: Int64) throws(Failure) {
    self.connection = connection
    var options = jsOptions()
    try check(jsOptions_Init(&options))
    options.Wait = waitMilliseconds
    var created: OpaquePointer?
    try check(natsConnection_JetStream(&created, connection.pointer, &options))
    guard let created else { throw Failure(NATS_NO_MEMORY) }
    pointer = created
  }

  deinit { jsCtx_Destroy(pointer) }

  /// Creates a stream with the settings of a bucket, unless it exists with the same settings.
  func create(_ stream: String, subject: String, _ bucket: Bucket, replicas: Int) throws(Failure) {
    var config = jsStreamConfig()
    try check(jsStreamConfig_Init(&config))
    config.MaxMsgsPerSubject = 1
    config.MaxAge = Int64(bucket.lifetimeSeconds ?? 0) * 1_000_000_000
    // The headers count, too.
    config.MaxMsgSize = Int32(clamping: bucket.valueBytesMax + 1024)
    config.Discard = js_DiscardNew
    // In memory, revisions would begin anew after all servers were restarted.
    config.Storage = js_FileStorage
    config.Replicas = Int64(replicas)
    config.AllowRollup = true
    // A direct read can be answered by a server that is behind.
    config.AllowDirect = false
    var code = jsErrCode(0)
    let status = stream.withCString { name in
      subject.withCString { subject in
        var subjects: [UnsafePointer<CChar>?] = [subject]
        return subjects.withUnsafeMutableBufferPointer { subjects in
          config.Name = name
          config.Subjects = subjects.baseAddress
          config.SubjectsLen = 1
          return js_AddStream(nil, pointer, &config, nil, &code)
        }
      }
    }
    try check(status, code)
  }

  func facts(_ stream: String) throws(Failure) -> Facts {
    var info: UnsafeMutablePointer<jsStreamInfo>?
    var code = jsErrCode(0)
    try check(js_GetStreamInfo(&info, pointer, stream, nil, &code), code)
    defer { jsStreamInfo_Destroy(info) }
    guard let info, let config = info.pointee.Config?.pointee else { throw Failure(NATS_ERR) }
    let subjects = (0..<Int(config.SubjectsLen)).compactMap { index in
      config.Subjects?[index].map { String(cString: $0) }
    }
    let cluster = info.pointee.Cluster?.pointee
    let peers = (0..<Int(cluster?.ReplicasLen ?? 0)).compactMap { cluster?.Replicas?[$0]?.pointee }
    return Facts(
      createdNanoseconds: UInt64(clamping: info.pointee.Created),
      replicas: Int(clamping: config.Replicas),
      retainsOne: config.MaxMsgsPerSubject == 1,
      subjects: subjects,
      lifetimeNanoseconds: config.MaxAge,
      leader: cluster?.Leader.map { String(cString: $0) },
      late: peers.compactMap { peer in
        let name = peer.Name.map { String(cString: $0) } ?? "a server"
        if peer.Offline { return "\(name) is not running" }
        return peer.Current ? nil : "\(name) is \(peer.Lag) writes behind"
      }
    )
  }

  /// Writes a message and returns its sequence number.
  ///
  /// `last` is the sequence number that the latest message of the subject must have; 0 if there
  /// must be none, and nil if that does not matter.
  func publish(
    _ subject: String,
    _ bytes: [UInt8],
    last: UInt64?,
    waitMilliseconds: Int64
  ) throws(Failure) -> UInt64 {
    var options = jsPubOptions()
    try check(jsPubOptions_Init(&options))
    options.MaxWait = waitMilliseconds
    options.ExpectNoMessage = last == 0
    options.ExpectLastSubjectSeq = last ?? 0
    var code = jsErrCode(0)
    var answer: UnsafeMutablePointer<jsPubAck>?
    let status = bytes.withUnsafeBytes { bytes in
      js_Publish(
        &answer,
        pointer,
        subject,
        bytes.baseAddress,
        Int32(clamping: bytes.count),
        &options,
        &code
      )
    }
    try check(status, code)
    defer { jsPubAck_Destroy(answer) }
    guard let answer else { throw Failure(NATS_ERR) }
    return answer.pointee.Sequence
  }

  /// Reads the latest message of a subject from the leader; nil if there is none.
  func last(_ stream: String, _ subject: String) throws(Failure) -> Message? {
    var message: OpaquePointer?
    var code = jsErrCode(0)
    let status = js_GetLastMsg(&message, pointer, stream, subject, nil, &code)
    if status == NATS_NOT_FOUND { return nil }
    try check(status, code)
    defer { natsMsg_Destroy(message) }
    guard let message else { return nil }
    let count = Int(natsMsg_GetDataLength(message))
    let bytes = UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: max(0, count))
    var operation: UnsafePointer<CChar>?
    let isMarker = natsMsgHeader_Get(message, "KV-Operation", &operation) == NATS_OK
    return Message(
      sequence: natsMsg_GetSequence(message),
      bytes: Array(bytes),
      isMarker: isMarker,
      time: Double(natsMsg_GetTime(message)) / 1e9
    )
  }

  /// Deletes the message with a sequence number.
  func delete(_ stream: String, _ sequence: UInt64) throws(Failure) {
    var code = jsErrCode(0)
    try check(js_DeleteMsg(pointer, stream, sequence, nil, &code), code)
  }

  // MARK: What only a checkup needs

  /// Deletes a stream with everything in it.
  func delete(stream: String) throws(Failure) {
    var code = jsErrCode(0)
    try check(js_DeleteStream(pointer, stream, nil, &code), code)
  }

  /// Returns the servers that do not have everything that the leader of a stream has.
  func lateReplicas(_ stream: String) throws(Failure) -> [String] {
    var info: UnsafeMutablePointer<jsStreamInfo>?
    var code = jsErrCode(0)
    try check(js_GetStreamInfo(&info, pointer, stream, nil, &code), code)
    defer { jsStreamInfo_Destroy(info) }
    guard let cluster = info?.pointee.Cluster?.pointee, let list = cluster.Replicas else {
      return []
    }
    let peers = UnsafeBufferPointer(start: list, count: max(0, Int(cluster.ReplicasLen)))
    return peers.compactMap { $0?.pointee }.compactMap { peer in
      let name = peer.Name.map { String(cString: $0) } ?? "a server"
      if peer.Offline { return "\(name) is not running" }
      return peer.Current ? nil : "\(name) is \(peer.Lag) writes behind"
    }
  }
}

extension NATSConnection {
  /// Measures the time of a message to the server and back, in seconds.
  func roundTripSeconds() throws(Failure) -> Double {
    var nanoseconds: Int64 = 0
    try check(natsConnection_GetRTT(pointer, &nanoseconds))
    return Double(nanoseconds) / 1e9
  }
}
