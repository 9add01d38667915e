internal import WebServer

// Recordings of rooms.
extension Site {
  func recordings(_ route: Route, _ id: RequestID) -> HTTPAnswer {
    .now(.problem(404, "This server has no recordings."))
  }
}
