import Fabric
import Foundation
import Testing

@testable import FabricNATS

@Suite("Errors of NATS")
struct ErrorTests {
  /// Connects and returns the error.
  private func error(
    _ address: String,
    _ change: (inout NATSOptions) -> Void = { _ in }
  ) -> NATSError? {
    var options = NATSOptions(addresses: address)
    options.patienceSeconds = 0.5
    change(&options)
    do {
      try NATSBus(options, node: NodeID(1)).stop()
      return nil
    } catch { return error }
  }

  @Test("wrong and missing credentials are named, without the password")
  func credentials() throws {
    let server = try NATSServer(
      configuration: "authorization { users: [{ user: lectern, password: right }] }"
    )
    let wrong = error(server.address) {
      $0.credentials = .password(user: "lectern", password: "wrong")
    }
    #expect(wrong?.kind == .credentials)
    #expect(wrong?.description.contains("'lectern'") == true)
    #expect(wrong?.description.contains("wrong") == false)
    #expect(error(server.address)?.kind == .credentials)
    #expect(error(server.address) { $0.credentials = .token("x") }?.kind == .credentials)
    #expect(error(server.address) { $0.credentials = .file("/missing") }?.kind == .option)
    let address = "nats://lectern:secret@127.0.0.1:\(server.port)"
    #expect(error(address)?.description.contains("secret") == false)
    let right = error(server.address) {
      $0.credentials = .password(user: "lectern", password: "right")
    }
    #expect(right == nil)
  }

  @Test("an address where nothing listens and options that cannot be right are named")
  func addresses() throws {
    let port = try NATSServer.freePorts(1)[0]
    let missing = error("nats://127.0.0.1:\(port)")
    #expect(missing?.kind == .unreachable)
    #expect(missing?.description.contains("127.0.0.1:\(port)") == true)
    #expect(error(" , ")?.kind == .option)
    for prefix in ["", "a..b", "a b", "a.*", "ö", ">"] {
      #expect(
        error("nats://127.0.0.1:\(port)") { $0.prefix = prefix }?.kind == .option,
        "\(prefix)"
      )
    }
    #expect(error("nats://127.0.0.1:\(port)") { $0.replicas = 2 }?.kind == .option)
  }

  @Test("a server without storage, TLS or the right to create a stream is named as such")
  func abilities() throws {
    let plain = try NATSServer(hasStorage: false)
    let storage = error(plain.address)
    #expect(storage?.kind == .noStorage)
    #expect(storage?.description.contains("jetstream") == true)
    #expect(error(plain.address) { $0.tls = NATSOptions.TLS() }?.kind == .encryption)
    let strict = try NATSServer(
      configuration: """
        authorization { users: [{ user: a, password: b, permissions: {
          publish: ["lectern.v1.>"], subscribe: ["_INBOX.>", "lectern.v1.>"] } }] }
        """
    )
    let permission = error(strict.address) { $0.credentials = .password(user: "a", password: "b") }
    #expect(permission?.kind == .permission)
    #expect(permission?.description.contains("KV_lectern_v1_leases") == true)
  }

  @Test("a bucket with other settings is not used")
  func bucket() throws {
    let server = try NATSServer()
    let options = NATSOptions(addresses: server.address)
    let connection = try NATSConnection(options, name: "test") { _ in }
    let js = try JetStream(connection, waitMilliseconds: 2000)
    // The lifetime is that of the rooms.
    try js.create("KV_a_b_leases", subject: "$KV.a_b_leases.>", .rooms, replicas: 1)
    let lifetime = error(server.address) { $0.prefix = "a.b" }
    #expect(lifetime?.kind == .bucket)
    #expect(lifetime?.description.contains("live for 0 s, not 15 s") == true)
    try js.create("KV_c_leases", subject: "other.>", .leases, replicas: 1)
    let subjects = error(server.address) { $0.prefix = "c" }
    #expect(subjects?.kind == .bucket && subjects?.description.contains("other.>") == true)
    let replicas = error(server.address) { $0.replicas = 3 }
    #expect(replicas?.kind == .noQuorum)
    #expect(replicas?.description.contains("3 replicas") == true)
    #expect(error(server.address) == nil)
  }
}
