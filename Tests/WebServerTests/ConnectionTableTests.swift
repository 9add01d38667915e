import Testing

@testable import WebServer

@Suite("The table of connections")
struct ConnectionTableTests {
  private func table(
    total: Int = 100,
    perAddress: Int = 100,
    pendingPerAddress: Int = 100,
    trustsProxy: Bool = false
  ) -> ConnectionTable {
    var options = ServerOptions(proxies: trustsProxy ? .loopback : .none)
    options.limits.connections.total = total
    options.limits.connections.perAddress = perAddress
    options.limits.connections.pendingPerAddress = pendingPerAddress
    return ConnectionTable(options: options, census: Census(limits: options.limits))
  }

  @Test("a source gets no connection above its limit, also while one of its own changes hands")
  func changing() {
    let census = Census(limits: ServerOptions.Limits())
    func add() -> Bool { census.addConnection(of: "a", isPending: false, limit: 2, now: 0) }
    #expect(add() && add() && !add())
    #expect(census.totals.connections == 2)
    census.whileCounting("a", now: 0) {
      census.removeConnection(of: "a", isPending: false)
      #expect(!add() && census.connections(of: "a").all == 2)
      census.addConnection(of: "a", isPending: false, now: 0)
    }
    #expect(census.connections(of: "a").all == 2 && census.totals.connections == 2)
  }

  /// Returns a number, from 1, that stands for a connection; nothing is read from it.
  private func socket(_ number: Int) -> OpaquePointer {
    guard let socket = OpaquePointer(bitPattern: number) else { preconditionFailure("0") }
    return socket
  }

  private func add(_ count: Int, pending source: String, to table: inout ConnectionTable) {
    for _ in 0..<count {
      _ = table.pending.add(-1, of: source, isAdmin: false, deadline: 0)
    }
  }

  private func add(
    _ numbers: Range<Int>,
    of source: String,
    to table: inout ConnectionTable
  ) throws {
    let head = try RequestHead(Array("GET / HTTP/1.0\r\n\r\n".utf8))
    for number in numbers {
      table.visitors.add(
        socket(number),
        of: source,
        isAdmin: false,
        head: head,
        client: source,
        now: 0
      )
    }
  }

  private func add(_ count: Int, idle source: String, to table: inout ConnectionTable) {
    for _ in 0..<count {
      _ = table.pending.add(-1, of: source, isAdmin: false, isIdle: true, deadline: 0)
    }
  }

  @Test("a source has a limited number of connections, pending or not, unless it is a proxy")
  func perAddress() throws {
    for trustsProxy in [false, true] {
      var table = table(perAddress: 3, trustsProxy: trustsProxy)
      add(2, pending: "127.0.0.1", to: &table)
      #expect(table.room(for: "127.0.0.1") == .free)
      try add(1..<2, of: "127.0.0.1", to: &table)
      #expect(table.room(for: "127.0.0.1") == (trustsProxy ? .free : .none))
      #expect(table.room(for: "192.0.2.1") == .free)
    }
  }

  @Test("the oldest pending connection of a source makes room for its newest")
  func pending() {
    var table = table(pendingPerAddress: 2)
    let oldest = table.pending.add(-1, of: "a", isAdmin: false, deadline: 0)
    add(1, pending: "a", to: &table)
    #expect(table.room(for: "a") == .replacing(oldest))
    #expect(table.room(for: "b") == .free)
    table.pending.remove(oldest)
    #expect(table.room(for: "a") == .free && table.pending[oldest.id] == nil)
  }

  @Test("when all connections are open, the source with the most pending ones loses one")
  func full() throws {
    var table = table(total: 5)
    add(1, pending: "a", to: &table)
    let oldest = table.pending.add(-1, of: "b", isAdmin: false, deadline: 0)
    add(2, pending: "b", to: &table)
    #expect(table.room(for: "c") == .free)
    try add(1..<2, of: "c", to: &table)
    #expect(table.census.totals.connections == 5)
    #expect(table.room(for: "c") == .replacing(oldest))
  }

  @Test("idle connections make room only for a source that has fewer")
  func idle() throws {
    var table = table(total: 5, pendingPerAddress: 1)
    try add(1..<3, of: "a", to: &table)
    let oldest = table.pending.add(-1, of: "a", isAdmin: false, isIdle: true, deadline: 0)
    add(1, idle: "a", to: &table)
    add(1, idle: "b", to: &table)
    #expect(table.room(for: "c") == .replacing(oldest))
    #expect(table.room(for: "b") == .replacing(oldest))
    #expect(table.room(for: "a") == .none)
    table.pending.remove(oldest)
    try add(3..<4, of: "d", to: &table)
    #expect(table.room(for: "a") == .none)
    #expect(table.room(for: "c") != .none)
  }
}

@Suite("The limits of a client")
struct ClientShareTests {
  private func census(waiting: Int = 512) -> Census {
    var limits = ServerOptions.Limits()
    limits.connections.perAddress = 2
    limits.requests.waitingPerAddress = 1
    limits.responses.longPerAddress = 1
    limits.requests.waiting = waiting
    return Census(limits: limits)
  }

  @Test(
    "each use has its limit, and ends with the share",
    arguments: [(ClientUse.exchange, 2), (.waiting, 1), (.longResponse, 1)]
  )
  func limits(use: ClientUse, limit: Int) {
    let census = census()
    var shares = (0...limit).map { _ in ClientShare(client: "a") }
    #expect(census.mayBegin(use, of: "a"))
    let begun = shares.indices.map { census.begin(use, for: &shares[$0], now: 0) }
    #expect(begun == Array(repeating: true, count: limit) + [false])
    #expect(!census.mayBegin(use, of: "a") && census.mayBegin(use, of: "b"))
    // The rejected share holds nothing that could end.
    census.endAll(of: &shares[limit])
    #expect(!census.mayBegin(use, of: "a"))
    census.end(use, of: &shares[0])
    census.endAll(of: &shares[0])
    #expect(census.mayBegin(use, of: "a"))
    census.begin(use, for: &shares[limit], now: 0)
    #expect(!census.mayBegin(use, of: "a"))
  }

  @Test("all clients together have a limited number of waiting requests")
  func together() {
    let census = census(waiting: 2)
    var shares = ["a", "b", "c"].map { ClientShare(client: $0) }
    let begun = shares.indices.map { census.begin(.waiting, for: &shares[$0], now: 0) }
    #expect(begun == [true, true, false] && !census.mayBegin(.waiting, of: "d"))
    #expect(census.mayBegin(.exchange, of: "d"))
    for index in shares.indices { census.endAll(of: &shares[index]) }
    #expect(census.mayBegin(.waiting, of: "d") && census.totals == Census.Totals())
  }

  @Test("a share may have several uses, which end one by one or together")
  func several() {
    let census = census()
    var share = ClientShare(client: "a")
    census.begin(.waiting, for: &share, now: 0)
    census.begin(.longResponse, for: &share, now: 0)
    census.end(.waiting, of: &share)
    #expect(census.mayBegin(.waiting, of: "a") && !census.mayBegin(.longResponse, of: "a"))
    census.begin(.waiting, for: &share, now: 0)
    census.endAll(of: &share)
    #expect(census.mayBegin(.waiting, of: "a") && census.mayBegin(.longResponse, of: "a"))
  }
}
