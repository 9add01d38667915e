internal import CNATS

// What only a checkup needs.
extension JetStream {
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

  /// Reads the latest message of a subject from the leader, and when it was stored: in seconds
  /// since 1970, by the wall clock of the server.
  func lastWithTime(_ stream: String, _ subject: String) throws(Failure) -> ([UInt8], Double) {
    var message: OpaquePointer?
    var code = jsErrCode(0)
    try check(js_GetLastMsg(&message, pointer, stream, subject, nil, &code), code)
    defer { natsMsg_Destroy(message) }
    let count = max(0, Int(natsMsg_GetDataLength(message)))
    let bytes = UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: count)
    return (Array(bytes), Double(natsMsg_GetTime(message)) / 1e9)
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
