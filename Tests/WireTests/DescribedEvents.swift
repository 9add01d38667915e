import Foundation
import Motion
import Scene
import Wire

/// Returns the fields of messages about a member itself.
func presence(_ message: ClientMessage) -> [String: Any] {
  switch message {
  case .persona(let persona):
    ["type": "persona", "name": persona.name, "colour": persona.colour ?? 255]
  case .ack(let ack):
    [
      "type": "ack", "frame": ack.frame, "lateness": ack.lateness, "syncError": ack.syncError,
      "roundTrip": ack.roundTrip,
    ]
  case .point(let place):
    place.map { ["type": "point", "x": $0.x, "y": $0.y] } ?? ["type": "point"]
  case .raise(let isRaised): ["type": "raise", "isOn": isRaised]
  case .wander(let wanders): ["type": "wander", "isOn": wanders]
  case .handover(let handover):
    switch handover {
    case .ask: ["type": "handover", "act": "ask"]
    case .withdraw: ["type": "handover", "act": "withdraw"]
    case .offer(let member): ["type": "handover", "act": "offer", "member": member]
    case .accept: ["type": "handover", "act": "accept"]
    case .decline: ["type": "handover", "act": "decline"]
    case .refuse(let member): ["type": "handover", "act": "refuse", "member": member]
    case .take: ["type": "handover", "act": "take"]
    case .layDown: ["type": "handover", "act": "layDown"]
    }
  default: [:]
  }
}

/// Returns the fields of messages of hosts.
func administration(_ message: ClientMessage) -> [String: Any] {
  switch message {
  case .share: ["type": "share"]
  case .settings(let settings): described(settings).merging(["type": "settings"]) { $1 }
  case .renewLinks: ["type": "renewLinks"]
  case .endReading: ["type": "endReading"]
  case .showOut(let member): ["type": "showOut", "member": member]
  case .bring(let book): ["type": "bring", "book": book ?? ""]
  case .lowerHand(let member): ["type": "lowerHand", "member": member]
  case .grant(let member, let grant):
    ["type": "grant", "member": member, "grant": grant.rawValue]
  case .record(let isOn): ["type": "record", "isOn": isOn]
  case .open(let recording): ["type": "open", "recording": recording]
  case .play(let order):
    switch order {
    case .pause: ["type": "play", "act": "pause"]
    case .play: ["type": "play", "act": "play"]
    case .seek(let seconds): ["type": "play", "act": "seek", "seconds": seconds]
    case .close: ["type": "play", "act": "close"]
    }
  default: [:]
  }
}

/// Returns the fields of the server's messages about the room.
func news(_ message: ServerMessage) -> [String: Any] {
  switch message {
  case .role(let news):
    [
      "type": "role", "number": news.number, "role": news.role.rawValue,
      "rights": named(
        news.rights,
        [
          "mayTurn", "isHost", "mayWander", "catchesUp", "mayShare", "mayPoint", "mayLayDown",
          "mayPlay", "mayLeaveBook",
        ]
      ),
      "acts": named(news.acts, actNames), "bookAct": "\(news.bookAct)",
      "prompt": ["kind": "\(news.prompt.kind)", "member": news.prompt.member] as [String: Any],
    ]
  case .room(let news):
    described(news.settings)
      .merging(
        named(
          news.state,
          ["isShared", "isRecorded", "isPlayback", "isHeld"]
        )
      ) { $1 }
      .merging([
        "type": "room", "presenter": news.presenter, "delay": news.delay,
        "turner": "\(news.turner)",
      ]) { $1 }
  case .people(let news):
    [
      "type": "people", "isWhole": news.isWhole, "people": news.people.map(described),
      "gone": news.gone,
    ]
  case .pointer(let news):
    [
      "type": "pointer", "member": news.member, "kind": news.kind.rawValue, "time": news.time,
      "element": news.element.map { $0 as Any } ?? NSNull(), "x": news.x, "y": news.y,
    ]
  case .place(let news):
    [
      "type": "place", "book": news.book, "page": news.page, "title": news.title,
      "range": described(news.range),
    ]
  case .links(let news):
    [
      "type": "links", "follow": news.follow, "present": news.present, "host": news.host,
      "code": news.code, "codeSeconds": news.codeSeconds,
    ]
  case .sync(let members):
    [
      "type": "sync",
      "members": members.map {
        ["member": $0.member, "error": $0.error, "roundTrip": $0.roundTrip] as [String: Any]
      },
    ]
  case .goodbye(let seconds): ["type": "goodbye", "seconds": seconds]
  case .playback(let news):
    news.map {
      [
        "type": "playback", "isPlaying": $0.isPlaying, "time": $0.time, "position": $0.position,
        "length": $0.length, "title": $0.title,
      ]
    } ?? ["type": "playback"]
  default: [:]
  }
}

private func described(_ settings: RoomSettings) -> [String: Any] {
  [
    "policy": settings.policy.rawValue, "isLocked": settings.isLocked,
    "mayWander": settings.mayWander, "sharesShelf": settings.sharesShelf,
  ]
}

private let actNames = ["offer", "lower", "lead", "follow", "remove"]

private func described(_ person: PersonEvent) -> [String: Any] {
  named(
    person.state,
    [
      "isHost", "isRaised", "asks", "isAway", "isHidden", "lags", "isOffered", "isChoosing",
      "isAgain",
    ]
  )
  .merging([
    "id": person.id, "role": person.role.rawValue, "colour": person.colour, "name": person.name,
    "acts": named(person.acts, actNames),
  ]) { $1 }
}

/// Returns the items of a set by name, in the order of their numbers.
func named<Items: OptionSet>(_ items: Items, _ names: [String]) -> [String: Any]
where Items.RawValue: FixedWidthInteger {
  Dictionary(
    uniqueKeysWithValues: names.enumerated().map { ($1, items.rawValue >> $0 & 1 == 1) }
  )
}
