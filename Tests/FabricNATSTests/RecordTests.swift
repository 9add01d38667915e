import Fabric
import Foundation
import Testing

@testable import FabricNATS

@Suite("Records in NATS")
struct RecordTests {
  /// What has to hold with one server as with three.
  private func useRecords(_ first: BusClient, _ second: BusClient) throws {
    let conflict = Result<UInt64, RecordFailure>.failure(.conflict)
    let created = try first.write(.rooms, "a", [1, 2], after: .absent).get()
    #expect(try second.read(.rooms, "a") == Record(value: [1, 2], revision: created))
    #expect(try second.write(.rooms, "a", [3], after: .absent) == conflict)
    #expect(try second.write(.rooms, "a", [3], after: .revision(created + 1)) == conflict)
    #expect(try second.write(.rooms, "a", [3], after: .revision(5)) == conflict)
    let changed = try second.write(.rooms, "a", [3], after: .revision(created)).get()
    #expect(changed > created)
    #expect(try first.write(.rooms, "a", [4], after: .revision(created)) == conflict)
    let forced = try first.write(.rooms, "a", [], after: .any).get()
    #expect(try second.read(.rooms, "a") == Record(value: [], revision: forced))

    #expect(try first.delete(.rooms, "a", after: .revision(changed)) == .conflict)
    #expect(try first.delete(.rooms, "a", after: .absent) == .conflict)
    #expect(try first.delete(.rooms, "a", after: .revision(forced)) == nil)
    #expect(try second.read(.rooms, "a") == nil)
    #expect(try first.delete(.rooms, "a", after: .revision(forced)) == .conflict)
    #expect(try first.delete(.rooms, "a", after: .absent) == nil)
    #expect(try first.delete(.rooms, "a", after: .any) == nil)
    #expect(try second.write(.rooms, "a", [9], after: .revision(forced)) == conflict)
    let again = try second.write(.rooms, "a", [5], after: .absent).get()
    #expect(again > forced)
    #expect(try first.delete(.rooms, "a", after: .any) == nil)

    let names = ["amber-heron-48217", "a.b c", "ö/*>", "="]
    for name in names { _ = try first.write(.bookmarks, name, Array(name.utf8), after: .any).get() }
    for name in names {
      #expect(try second.read(.bookmarks, name)?.value == Array(name.utf8))
      #expect(try second.read(.codes, name) == nil)
    }
  }

  @Test("a record is written only after the revision that the writer knows, on one server")
  func single() throws {
    let server = try NATSServer()
    let (first, second) = (try BusClient([server]), try BusClient([server]))
    try useRecords(first, second)
    let large = [UInt8](repeating: 1, count: Bucket.leases.valueBytesMax + 1)
    for (key, value) in [("a", large), ("", [1]), (String(repeating: "a", count: 201), [1])] {
      let result = try first.write(.leases, key, value, after: .any)
      guard case .failure(.refused) = result else {
        Issue.record("\(result)")
        continue
      }
    }
    #expect(try first.write(.leases, "a", Array(large.dropLast()), after: .any).get() > 0)
  }

  @Test("of many that write after the same revision exactly one succeeds")
  func contention() throws {
    let server = try NATSServer()
    let clients = try (0..<4).map { _ in try BusClient([server]) }
    var revision = try clients[0].write(.leases, "a", [0], after: .absent).get()
    for round in 1...20 {
      let results = try clients.map { client in
        try client.write(.leases, "a", [UInt8(round)], after: .revision(revision))
      }
      let revisions = results.compactMap { result -> UInt64? in
        if case .success(let revision) = result { revision } else { nil }
      }
      #expect(revisions.count == 1 && results.filter { $0 == .failure(.conflict) }.count == 3)
      revision = try #require(revisions.first)
    }
  }

  @Test("a server that does not answer leaves it open whether a record was written")
  func noAnswer() throws {
    let server = try NATSServer()
    let client = try BusClient([server])
    let before = try client.write(.leases, "a", [1], after: .absent).get()
    server.signal(SIGSTOP)
    let result = try client.write(.leases, "a", [2], after: .revision(before))
    server.signal(SIGCONT)
    guard case .failure(.unknown) = result else {
      Issue.record("\(result)")
      return
    }
    // The server has read the request by now or has not; either way the record can be used.
    _ = try client.writeWhenPossible(.leases, "b", [1])
    let record = try #require(try client.read(.leases, "a"))
    #expect(try client.write(.leases, "a", [3], after: .revision(record.revision)).get() > before)
  }

  @Test("revisions grow even if everything that was stored is lost")
  func lostStorage() throws {
    let server = try NATSServer()
    let client = try BusClient([server])
    var revision: UInt64 = 0
    for number in 0..<5 {
      revision = try client.write(.leases, "a", [UInt8(number)], after: .any).get()
    }
    client.clear()
    server.kill()
    try server.removeStorage()
    try server.start()
    try client.wait("a connection") { $0.contains(.connected) }
    #expect(try client.writeWhenPossible(.leases, "b", [1]) > revision)
    #expect(try client.read(.leases, "a") == nil)
    #expect(try client.write(.leases, "a", [2], after: .revision(revision)) == .failure(.conflict))
    #expect(try client.write(.leases, "a", [2], after: .absent).get() > revision)
  }

  @Test("three servers store the same, and go on after the one that leads is killed")
  func cluster() throws {
    let servers = try NATSServer.cluster()
    let (first, second) = (try BusClient(servers), try BusClient(servers))
    try useRecords(first, second)
    let before = try first.write(.leases, "a", [1], after: .absent).get()
    let leader = try #require(try first.ask { first.bus.leader(of: .leases, $0) }.get())
    let killed = try #require(servers.first { $0.name == leader })
    killed.kill()
    let after = try second.writeWhenPossible(.leases, "b", [2])
    #expect(after > before)
    var record = try? first.read(.leases, "a")
    // The reader may still be on its way to another server.
    if record == nil {
      _ = try first.writeWhenPossible(.leases, "c", [1])
      record = try first.read(.leases, "a")
    }
    #expect(record == Record(value: [1], revision: before))
    #expect(try second.write(.leases, "a", [3], after: .revision(before)).get() > after)
    try killed.start()
    _ = try first.writeWhenPossible(.leases, "d", [1])
    // Every node has the same revisions, whenever it came and whichever server leads.
    let third = try BusClient(servers)
    for key in ["a", "b", "c", "d"] {
      #expect(try third.read(.leases, key) == first.read(.leases, key))
    }
    #expect(try third.read(.leases, "b")?.revision == after)
  }
}
