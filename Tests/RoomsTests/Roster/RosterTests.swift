import Fabric
import Scene
import Testing
import Wire

@testable import Rooms

/// Returns a roster of people without personas, except for the given ones.
private func roster(_ count: Int, personas: [Persona] = []) -> Roster {
  var roster = Roster()
  let environment = Environment.counted()
  for number in 0..<count {
    let persona = personas.indices.contains(number) ? personas[number] : Persona()
    let hello = Hello(room: "R", persona: persona, viewport: .plain)
    let id = MemberID(UInt32(number + 1))
    let arrival = Arrival(id, hello, from: "10.0.0.1", environment: environment)
    roster.add(arrival, grant: .follow)
  }
  return roster
}

extension Roster {
  /// Returns the list that is due to the others; nil if none is due.
  fileprivate mutating func list(at now: Double) -> [PeopleEvent]? {
    guard let indices = beginList(at: now) else { return nil }
    return endList(
      indices.map { index in
        let person = people[index]
        let event = PersonEvent(
          id: person.id.rawValue,
          role: .follower,
          state: person.isRaised ? .isRaised : [],
          colour: person.colour,
          name: person.name
        )
        return (index, event)
      }
    )
  }
}

@Suite("The people of a room")
struct RosterTests {
  @Test("nobody has the initial and the colour of another, as long as there is a free colour")
  func clashes() {
    let green = ["Hannah", "Hugo", "hana", "\u{C4}nne"].map { Persona(name: $0, colour: 2) }
    var all = roster(4, personas: green)
    #expect(all[0].colour == 2 && all[3].colour == 2)
    #expect(Set(all.people.prefix(3).map(\.colour)).count == 3)
    all.rename(at: 3, to: Persona(name: "Hedda", colour: 2))
    #expect(Set(all.people.map(\.colour)).count == 4)
    // A colour is free again when the person who had it has left.
    all.remove(at: 0)
    all.rename(at: 0, to: Persona(name: "Hugo", colour: 2))
    #expect(all[0].colour == 2)
    var many = roster(9, personas: Array(repeating: Persona(name: "H", colour: 2), count: 9))
    #expect(Set(many.people.map(\.colour)).count == Int(Persona.colourCount))
    while many.count > 0 { many.remove(at: 0) }
  }

  @Test("people without a name get different friendly names, and a rare colour")
  func names() {
    var all = roster(30)
    #expect(Set(all.people.map(\.name)).count == 30)
    let counts = Dictionary(grouping: all.people, by: \.colour).mapValues(\.count)
    #expect((counts.values.max() ?? 0) - (counts.values.min() ?? 0) <= 2)
    all.rename(at: 3, to: Persona(name: "  \u{D6}da\u{202E} ", colour: 2))
    #expect(all[3].name == "\u{D6}da" && all[3].colour == 2)
    all.rename(at: 3, to: Persona(name: "\u{200B}"))
    #expect(!all[3].name.isEmpty && all[3].name != "\u{D6}da")
  }

  @Test("the first list is sent at once, the next one a quarter of a second later")
  func rate() {
    var all = roster(2)
    var list = all.list(at: 10)
    #expect(list?.flatMap(\.people).map(\.id) == [1, 2] && all.listWake == nil)
    list = all.list(at: 11)
    #expect(list == nil, "nothing has changed")
    all.raise(true, at: 1)
    list = all.list(at: 10.1)
    #expect(list == nil && all.listWake == 10.25)
    list = all.list(at: 10.25)
    #expect(list?.flatMap(\.people).map(\.id) == [2] && all.listWake == nil)
  }

  @Test("a change that is reverted is not sent, and a person that has left is reported once")
  func changes() {
    var all = roster(3)
    _ = all.list(at: 10)
    all.raise(true, at: 0)
    all.raise(false, at: 0)
    var list = all.list(at: 11)
    #expect(list == [])
    all.raise(true, at: 1)
    all.remove(at: 1)
    list = all.list(at: 12)
    #expect(list?.flatMap(\.people) == [] && list?.flatMap(\.gone) == [2])
    list = all.list(at: 13)
    #expect(list == nil)
  }

  @Test("a possible change is sent again when a member has received it in another way")
  func retelling() {
    var all = roster(2)
    _ = all.list(at: 10)
    all.noteChange(of: MemberID(1))
    all.retellChanged()
    let list = all.list(at: 11)
    #expect(list?.flatMap(\.people).map(\.id) == [1])
  }

  @Test("a long list is split into messages within the limits of the wire")
  func longLists() {
    var all = roster(WireLimits.peoplePerMessage + 1)
    let list = all.list(at: 10)
    #expect(list?.map(\.people.count) == [WireLimits.peoplePerMessage, 1])
    #expect(list?.allSatisfy { !$0.isWhole } == true)
  }

  @Test("the person that has been away for longest makes room for others")
  func away() {
    var all = roster(3)
    #expect(all.longestAway == nil)
    all.lose(at: 2, now: 10)
    all.lose(at: 0, now: 11)
    #expect(all.longestAway == MemberID(3) && !all[0].isHere && all[1].isHere)
    #expect(all[2].resumption.awayUntil == 10 + Resumption.seconds)
  }

  @Test("a token is spent when its bearer sends a message, has a newer token, or has left")
  func tokens() {
    let environment = Environment.counted()
    func arrival(resuming token: String = "") -> Arrival {
      let hello = Hello(resume: token, viewport: .plain)
      return Arrival(MemberID(1), hello, from: "10.0.0.2", environment: environment)
    }
    var all = Roster()
    let first = arrival()
    all.add(first, grant: .follow)
    all.lose(at: 0, now: 10)
    let number = all[0].role.number
    let second = arrival(resuming: first.token.secret)
    all.comeBack(at: 0, second)
    #expect(all[0].isHere && all[0].role.number == number &+ 1)
    #expect(all.takeSpentTokens() == [], "the welcome with the next token may have been lost")
    all.lose(at: 0, now: 11)
    let third = arrival(resuming: first.token.secret)
    all.comeBack(at: 0, third)
    #expect(all.takeSpentTokens() == [second.token.digest])
    all.confirm(at: 0)
    #expect(all.takeSpentTokens() == [first.token.digest])
    all.confirm(at: 0)
    all.remove(at: 0)
    #expect(all.takeSpentTokens() == [third.token.digest] && all.takeSpentTokens() == [])
  }
}

@Suite("The role that a member was sent")
struct SentRoleTests {
  private func event(_ role: Role, _ rights: RoleEvent.Rights = []) -> RoleEvent {
    RoleEvent(number: 0, role: role, rights: rights)
  }

  @Test("a role is sent once, and its number changes with the right to turn")
  func number() {
    var told = SentRole()
    let first = told.update(event(.follower), wanders: false, isBrought: false)
    #expect(first?.event.number == 0 && first?.isOtherRole == true)
    #expect(told.update(event(.follower), wanders: false, isBrought: false) == nil)
    let next = told.update(event(.follower, .mayTurn), wanders: false, isBrought: false)
    #expect(next?.event.number == 1 && next?.isOtherRole == false)
  }

  @Test("a wanderer keeps its number, so that the lift of its finger is accepted")
  func wanderer() {
    var told = SentRole()
    _ = told.update(event(.follower, .mayTurn), wanders: false, isBrought: false)
    let next = told.update(event(.wanderer), wanders: true, isBrought: false)
    #expect(next?.event.number == 0 && next?.isOtherRole == true)
  }

  @Test("the number changes when a member is brought elsewhere, and stays when it arrives")
  func brought() {
    var told = SentRole()
    _ = told.update(event(.presenter, .mayTurn), wanders: false, isBrought: false)
    let away = told.update(event(.presenter), wanders: false, isBrought: true)
    #expect(away?.event.number == 1)
    let there = told.update(event(.presenter, .mayTurn), wanders: false, isBrought: false)
    #expect(there?.event.number == 1)
    #expect(told.update(event(.follower), wanders: false, isBrought: false)?.event.number == 2)
  }

  @Test("a role that was forgotten is sent again with the same number")
  func forgotten() {
    var told = SentRole()
    _ = told.update(event(.presenter, .mayTurn), wanders: false, isBrought: false)
    told.forget()
    #expect(
      told.update(event(.presenter, .mayTurn), wanders: false, isBrought: false)?.event.number == 0
    )
    told.outdate()
    #expect(
      told.update(event(.presenter, .mayTurn), wanders: false, isBrought: false)?.event.number == 1
    )
  }
}
