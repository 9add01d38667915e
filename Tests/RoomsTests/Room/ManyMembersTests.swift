import Fabric
import Scene
import TestVectors
import Testing
import Wire

@testable import Rooms

@Suite("A room of hundreds")
struct ManyMembersTests {
  /// The messages that were sent since the last call, by kind.
  private func counts(_ company: inout Company) -> [UInt8: Int] {
    defer { company.forget() }
    return company.pages.values.reduce(into: [:]) { counts, page in
      for message in page.heard { counts[message.encoded()[0], default: 0] += 1 }
    }
  }

  private func join(_ count: Int, within seconds: Double, _ company: inout Company) throws {
    for number in 0..<count {
      try company.come(MemberID(UInt32(100 + number)), key: company.link(.follow))
      try company.pass(seconds / Double(count))
    }
  }

  @Test("that join within a second costs each a bounded number of messages", arguments: [100, 300])
  func joins(count: Int) throws {
    var company = try Company(.hostLeads, .follow)
    try join(count, within: 1, &company)
    try company.pass(2)
    let counts = counts(&company)
    let present = company.pages.count
    // Each gets its own welcome, role, view and picture; nobody else's role is sent again.
    for kind in [UInt8](arrayLiteral: 0x81, 0x86, 0x89, 0x83) { #expect(counts[kind] == count) }
    #expect((count...count + 1).contains(counts[0x8b] ?? 0))
    // Lists are sent a quarter of a second apart, or rarer, to all that are here by then.
    let lists = Int(3 / 0.25) * (1 + present / WireLimits.peoplePerMessage)
    let newcomers = count * (1 + present / WireLimits.peoplePerMessage)
    #expect((counts[0x8d] ?? 0) <= lists * present + newcomers)
    // All know all.
    for page in company.pages.values { #expect(page.people.count == present) }
    let names = Set(company.page(of: company.anna).people.values.map(\.name))
    #expect(names.count == present, "each has a name of its own")
  }

  @Test("that leave and join again keep their names and colours apart")
  func churn() throws {
    var company = try Company(.hostLeads)
    var random = SplitMix64(seed: 7)
    try join(60, within: 1, &company)
    for step in 0..<60 {
      let here = company.room?.roster.people.map(\.id).filter { $0 != company.anna } ?? []
      let leaver = try #require(here.randomElement(using: &random))
      try company.lose(leaver, code: 1000)
      company.pages[leaver] = nil
      try company.come(MemberID(UInt32(500 + step)), key: company.link(.follow))
    }
    try company.pass(2)
    let people = try #require(company.room?.roster.people)
    #expect(people.count == 61 && Set(people.map(\.name)).count == 61)
    for (index, person) in people.enumerated() {
      #expect(company.room?.roster.index(of: person.id) == index)
      #expect(company.page(of: company.anna).people[person.id.rawValue]?.name == person.name)
    }
  }

  @Test("sends nothing for the reports of its members but two messages to the host")
  func reports() throws {
    var company = try Company(.hostLeads, .follow)
    try join(60, within: 1, &company)
    try company.pass(5)
    company.forget()
    for id in company.pages.keys.sorted() where id != company.anna {
      let ack = Ack(frame: 1, lateness: 0.01, syncError: 0.001, roundTrip: 0.02)
      try company.say(.ack(ack), id)
    }
    // The first one is reported to the host at once.
    #expect(counts(&company) == [0x91: 1])
    // Another message reports the worst of the others.
    try company.pass(5)
    #expect(counts(&company) == [0x91: 1])
  }
}
