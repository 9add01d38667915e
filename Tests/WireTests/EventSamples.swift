import Scene
import Wire

extension Samples {
  /// One of each message from a server.
  static let server: [(name: String, message: ServerMessage)] = frames + news

  private static func role(
    _ number: UInt16,
    _ role: Role,
    _ rights: RoleEvent.Rights,
    _ change: (inout RoleEvent) -> Void
  ) -> RoleEvent {
    var event = RoleEvent(number: number, role: role, rights: rights)
    change(&event)
    return event
  }

  private static let presenter: PersonEvent = {
    var event = PersonEvent(id: 1, role: .presenter, state: [.isHost], colour: 0, name: "Maren")
    event.acts = [.lower, .follow, .remove]
    return event
  }()

  private static let news: [(name: String, message: ServerMessage)] = [
    (
      "welcome of one who came by a code",
      .welcome(
        Welcome(
          room: "A",
          memberID: 1,
          serverTime: 0.5,
          resume: "Zk2_v-0aQ9",
          key: "r3Y6mEJw0bC9uX1qL8sTfA"
        )
      )
    ),
    (
      "welcome of a new reader",
      .welcome(
        Welcome(
          room: "A",
          memberID: 1,
          serverTime: 0.5,
          reader: "Qe7dT5kq0LxWn2vB8zYc4g",
          pass: "0f9a"
        )
      )
    ),
    (
      "role",
      .role(
        role(65_534, .follower, [.mayWander, .mayPoint, .mayLeaveBook]) {
          ($0.bookAct, $0.prompt) = (.withdraw, Prompt(.choosing, member: 700))
        }
      )
    ),
    (
      "role of a host",
      .role(
        role(1, .presenter, [.mayTurn, .isHost, .mayShare]) { $0.acts = [.offer, .lower, .remove] }
      )
    ),
    (
      "room",
      .room(
        RoomEvent(
          settings: RoomSettings(policy: .hostLeads, isLocked: true),
          state: [.isShared, .isHeld],
          presenter: 4_000_000_001,
          delay: 0.0625,
          turner: .away
        )
      )
    ),
    (
      "room where nobody presents",
      .room(RoomEvent(settings: RoomSettings(), state: [], presenter: 0, delay: 0))
    ),
    (
      "people",
      .people(
        PeopleEvent(
          isWhole: true,
          people: [
            presenter,
            PersonEvent(
              id: 4_000_000_001,
              role: .wanderer,
              state: [.isRaised, .asks, .isHidden, .isOffered],
              colour: 5,
              name: "Þórunn 👓"
            ),
            PersonEvent(
              id: 3,
              role: .copresenter,
              state: [.isAway, .lags, .isAgain],
              colour: 2,
              name: ""
            ),
          ]
        )
      )
    ),
    ("people who went", .people(PeopleEvent(isWhole: false, people: [], gone: [3, 9]))),
    (
      "pointer on a page",
      .pointer(
        PointerEvent(
          member: 7,
          kind: .hand,
          time: 1234.5678,
          element: 4_000_000_000,
          x: 0.25,
          y: 0.75
        )
      )
    ),
    (
      "pointer on the table",
      .pointer(PointerEvent(member: 7, kind: .laser, time: 6.5, x: -300.5, y: 120))
    ),
    ("pointer that is gone", .pointer(PointerEvent(member: 7, kind: .gone, time: 7))),
    (
      "place",
      .place(
        PlaceEvent(
          book: "b7k-ä",
          page: 15,
          title: "Der Deich",
          range: PageRange(labels: ["xvi", "xvii"])
        )
      )
    ),
    (
      "links",
      .links(
        LinksEvent(
          follow: "r3Y6mEJw0bC9uX1qL8sTfA",
          present: "q8sTfAr3Y6mEJw0bC9uX1L",
          host: "C9uX1qL8sTfAr3Y6mEJw0b",
          code: "HFKMPJ",
          codeSeconds: 600
        )
      )
    ),
    (
      "sync",
      .sync([
        SyncEvent(member: 1, error: 0.007_812_5, roundTrip: 0.001_953_125),
        SyncEvent(member: 4_000_000_001, error: 0.25, roundTrip: 0.5),
      ])
    ),
    ("goodbye", .goodbye(comeBackAfter: 2.5)),
    (
      "playback",
      .playback(
        PlaybackEvent(isPlaying: true, time: 1234.5, position: 62.25, length: 600, title: "Küste")
      )
    ),
    (
      "playback that stands",
      .playback(PlaybackEvent(isPlaying: false, time: 1, position: 0, length: 600, title: ""))
    ),
    ("playback put away", .playback(nil)),
  ]
}
