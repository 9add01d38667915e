// Silent WebSockets are pinged, and closed if they do not answer.
extension WebServer {
  var secondsUntilPing: Double { Double(options.limits.webSockets.secondsUntilPing) }
  private var secondsUntilHangup: Double { Double(options.limits.webSockets.secondsUntilHangup) }

  /// Checks a WebSocket at a given time.
  func watchSilence(of connection: ConnectionID, until time: Double, now: Double) {
    timers.silences.add(connection, at: time, now: now)
    if let next = timers.silences.nextTime { timers.silence.set(noLaterThan: next) }
  }

  /// Pings the WebSockets that are silent, and cuts those that have been silent or closing for too
  /// long.
  func checkSilences() {
    let now = Self.now()
    var silent: [ConnectionID] = []
    for connection in timers.silences.due(at: now) {
      guard let webSocket = webSockets[connection], !webSocket.isCut else { continue }
      if let deadline = webSocket.closeDeadline {
        if deadline <= now {
          cut(connection)
        } else {
          // This check was scheduled before the connection began to close, or is early because the
          // deadline is further ahead than the wheel reaches.
          watchSilence(of: connection, until: deadline, now: now)
        }
        continue
      }
      let heard = webSockets.heard(connection)
      if now >= heard + secondsUntilHangup {
        cut(connection)
      } else if now >= heard + secondsUntilPing {
        // A connection that is too busy for a ping is checked like one that does not answer.
        silent.append(connection)
        watchSilence(of: connection, until: heard + secondsUntilHangup, now: now)
      } else {
        watchSilence(of: connection, until: heard + secondsUntilPing, now: now)
      }
    }
    ping(silent)
    timers.silence.set(timers.silences.nextTime)
  }
}
