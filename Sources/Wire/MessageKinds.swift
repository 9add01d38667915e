// The table of messages. Scripts/page/message_numbers.py copies the numbers to the page.

/// The kinds of messages from client to server; the raw value is the first byte of a message.
package enum ClientKind: UInt8, CaseIterable, Sendable {
  case hello = 0x01
  case pointers, wheel, key, viewport, clock, zoom, visibility
  case ready, jump, go, arrange, lay, zoomStep
  case persona, ack, point, raise, wander, handover
  case share, settings, renewLinks, endReading, showOut, grant, record, open, play
  case bring = 0x1f
  case lowerHand, fit

  /// Who may send messages of a kind.
  package enum Sender: Sendable {
    /// A client that is not a member yet, once.
    case newcomer
    /// Any member.
    case member
    /// A member in its present role, whose number the message carries.
    case actor
    /// A member that controls the room.
    case host
  }

  /// Who may send it.
  package var sender: Sender {
    switch self {
    case .hello: .newcomer
    case .pointers, .wheel, .key, .zoom, .jump, .go, .arrange, .lay, .zoomStep, .point: .actor
    case .viewport, .clock, .visibility, .ready, .persona, .ack, .raise, .wander, .handover, .play,
      .fit:
      .member
    case .share, .settings, .renewLinks, .endReading, .showOut, .grant, .record, .open, .bring,
      .lowerHand:
      .host
    }
  }

  /// The quota from which it is taken.
  package var quota: Quota {
    switch self {
    case .pointers, .wheel, .zoom: .inputs
    case .key, .fit, .zoomStep, .lay, .jump, .go, .arrange: .commands
    case .point: .pointers
    case .viewport: .viewports
    case .visibility: .visibilities
    case .wander: .wanderings
    case .settings: .settings
    case .play: .playbackOrders
    case .clock: .clockProbes
    case .ack: .acks
    case .ready: .images
    case .hello, .persona, .raise, .lowerHand, .handover, .showOut, .grant: .conversation
    case .share, .renewLinks, .endReading, .bring, .record, .open: .administration
    }
  }
}

/// How many messages of some kinds each member may send.
package enum Quota: UInt8, CaseIterable, Sendable {
  /// Pointer, wheel and zoom input.
  case inputs
  /// Keys and other orders to the stage.
  case commands
  /// The position at which the member points.
  case pointers
  /// The size of the member's window.
  case viewports
  /// Whether the page is visible; each change to visible costs a snapshot with all elements.
  case visibilities
  /// Starting and ending a member's wandering; each costs a stage and a snapshot.
  case wanderings
  /// The host's decisions about the room.
  case settings
  /// Pausing and seeking in a recording.
  case playbackOrders
  /// Requests for the server's time.
  case clockProbes
  /// Reports of how frames arrived.
  case acks
  /// Reports of which images are decoded.
  case images
  /// Names, raised hands, removals, rights, and the passing of the book.
  case conversation
  /// Orders that create secrets or files or that affect the whole room: links, recordings, another
  /// book for all, the end of a session.
  case administration

  /// What happens to a message over a quota.
  package enum Excess: Sendable {
    /// It is dropped.
    case dropped
    /// It is dropped, and its sender is informed.
    case reported
    /// The last one is forwarded once the quota allows it.
    ///
    /// This suits messages that describe a final state rather than a step on the way.
    case held
  }

  /// The number of messages a second, the burst, and what happens to a message beyond that.
  package var limit: (rate: Double, burst: Double, excess: Excess) {
    switch self {
    case .inputs: (400, 800, .dropped)
    case .commands: (60, 120, .dropped)
    case .pointers: (60, 60, .dropped)
    case .viewports: (60, 120, .held)
    case .visibilities, .wanderings, .settings: (4, 10, .held)
    case .playbackOrders: (10, 20, .held)
    case .clockProbes: (50, 200, .dropped)
    case .acks: (10, 20, .dropped)
    case .images: (60, 240, .dropped)
    case .conversation: (10, 30, .reported)
    case .administration: (2, 10, .reported)
    }
  }
}

/// The kinds of messages from server to client; the raw value is the first byte of a message.
package enum ServerKind: UInt8, CaseIterable, Sendable {
  case welcome = 0x81
  case elements, snapshot, delta, batch, camera, clock, error, caption, cameras
  case role, room, people, pointer, place, links, sync, goodbye, playback, retired, framing
}
