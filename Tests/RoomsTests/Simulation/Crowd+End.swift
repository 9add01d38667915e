import Fabric
import Scene
import Staging
import TestVectors
import Wire

@testable import Gateway
@testable import Rooms

/// The end of a crowd, and the conditions that hold when it is at rest.
extension Crowd {
  func end() throws {
    isEnding = true
    for member in members {
      guard member.connection != nil, member.role != nil else { continue }
      for message in member.letGo() { say(message, member) }
    }
    // By then, stalled connections are read again and broken ones are noticed.
    try pass(until: now + 20)
    for member in members where member.connection != nil {
      if member.role?.role == .wanderer, random.happens(0.5) {
        say(.wander(false), member)
        counts.catchUps += 1
      }
      if let ack = member.ack() { say(ack, member) }
    }
    // A lost member may return for a minute; the longest recording is shorter.
    try pass(until: now + 150)
    guard wakeTime == nil else {
      throw Violation("something wants to be woken at \(wakeTime ?? 0), it is \(now)")
    }
    for name in Self.roomNames {
      guard let room = rooms.room(named: name) else { continue }
      try check(room)
      guard room.holder == nil else { throw Violation("somebody still holds the book of \(name)") }
      guard room.roster.people.allSatisfy(\.isHere) else {
        throw Violation("somebody is away for good")
      }
    }
    var seen = 0
    for member in members {
      guard let connection = member.connection, !connection.isClosing, let me = member.me,
        let room = room(of: me), room.person(me) != nil
      else { continue }
      do {
        try checkRest(member, me, room)
      } catch {
        throw Violation("at rest, \(me.rawValue) in \(room.name): \(error)")
      }
      seen += 1
    }
    guard seen == rooms.memberCount else {
      throw Violation("\(rooms.memberCount) members, and \(seen) pages")
    }
  }

  private func checkRest(_ member: CrowdMember, _ me: MemberID, _ room: Room) throws {
    let session = room.session(of: me)
    guard gateway.waiting(for: me).messages == 0 else { throw Violation("something waits") }
    guard session.watchers.isVisible(me) else { throw Violation("nobody looks") }
    guard let latest = member.decoder.latest, latest.number == session.frameNumber,
      latest.isSettled
    else {
      throw Violation(
        """
        \(member.decoder.latest?.number ?? 0) is the last frame seen, of \(session.frameNumber), \
        settled \(member.decoder.latest?.isSettled ?? false), \(session.stream.frame.isSettled), \
        \(session.pacing.isAtRest), \(session.stage.isSettled(at: now)), wanders \
        \(room.wanderers.contains(me)), plays \(room.shared.playback != nil), \
        time \(session.stream.time), it is \(now), driven \(session.stage.isDriven) \
        by \(session.holder as Any), fingers \(session.members.map(\.view.isTouched)), \
        awaits \(session.stage.awaitedImages as Any)
        """
      )
    }
    if room.shared.playback == nil || room.wanderers.contains(me) {
      let rest = CrowdTruth()
      rest.noteRest(of: session, at: now)
      if let fault = rest.fault(of: latest, in: member.decoder) {
        throw Violation("the stage stands elsewhere: \(fault)")
      }
    }
    guard member.role == room.person(me)?.role.last else {
      throw Violation("\(member.role as Any) is not \(room.person(me)?.role.last as Any)")
    }
    var copy = room
    var news = copy.roomEvent()
    // The wire has a lower precision for durations.
    news.delay = Double(Float(news.delay))
    guard member.news == news else { throw Violation("\(member.news as Any) is not \(news)") }
    for person in room.roster.people {
      let news = room.personEvent(of: person)
      guard member.people[news.id] == news else {
        throw Violation("\(news) is known as \(member.people[news.id] as Any)")
      }
    }
    guard member.people.count == room.roster.people.count else { throw Violation("ghosts") }
    guard member.camera == room.camera(of: me).map({ WireMatrix($0) }) else {
      throw Violation("another camera")
    }
    guard member.caption == session.captions.current else { throw Violation("other words") }
    guard (member.playback == nil) == (room.shared.playback == nil) else {
      throw Violation("a recording is played, and not")
    }
    guard room.newPlace == nil else { throw Violation("the place has changed and was not sent") }
    if room.wanderers.contains(me), member.spot != room.announced.place {
      throw Violation("the others are not where they are")
    }
  }
}
