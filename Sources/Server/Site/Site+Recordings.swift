internal import Notices
internal import WebServer

// Recordings of rooms.
extension Site {
  func recordings(_ route: Route, _ id: RequestID) -> HTTPAnswer {
    // Both routes read the disk.
    later(id) { [recordings = sources.recordings] in
      guard case .deleteRecording(let name) = route else { return .json(recordings.list()) }
      guard recordings.delete(name) else {
        return .problem(404, Notice(.noSuchRecording, ["recording": "\(name)"]))
      }
      return HTTPResponse(status: 204, contentType: "text/plain", body: .bytes([]))
    }
    return .later
  }
}
