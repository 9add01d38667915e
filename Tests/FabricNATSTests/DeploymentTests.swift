import Fabric
import Foundation
import Testing

@testable import FabricNATS

@Suite("The example of a configuration")
struct DeploymentTests {
  @Test("the example works for three servers, and permits what a node needs and nothing else")
  func example() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appending(path: "Scripts/deploy/nats-server.conf")
    let example = try String(contentsOf: file, encoding: .utf8)
    let ports = try NATSServer.freePorts(9)
    let servers = try (0..<3).map { index in
      var text = example.replacing("lectern-1", with: "lectern-\(index + 1)")
      text = text.replacing("0.0.0.0:4222", with: "127.0.0.1:\(ports[index])")
      text = text.replacing("0.0.0.0:6222", with: "127.0.0.1:\(ports[3 + index])")
      text = text.replacing("127.0.0.1:8222", with: "127.0.0.1:\(ports[6 + index])")
      for other in 0..<3 {
        text = text.replacing("10.0.0.\(other + 1):6222", with: "127.0.0.1:\(ports[3 + other])")
      }
      return try NATSServer(
        name: "lectern-\(index + 1)",
        port: ports[index],
        configuration: text,
        environment: ["LECTERN_NATS_PASSWORD": "pass-word"]
      )
    }
    let credentials = NATSOptions.Credentials.password(user: "lectern", password: "pass-word")
    let (ana, ben) = (
      try BusClient(servers) { $0.credentials = credentials },
      try BusClient(servers) { $0.credentials = credentials }
    )
    for bucket in Bucket.allCases {
      let revision = try ana.write(bucket, "a", [1], after: .absent).get()
      #expect(try ben.read(bucket, "a") == Record(value: [1], revision: revision))
      #expect(try ben.delete(bucket, "a", after: .revision(revision)) == nil)
      #expect(try ana.ask { ana.bus.leader(of: bucket, $0) }.get()?.hasPrefix("lectern-") == true)
    }
    ana.bus.broadcast([1])
    ana.bus.send([2], to: ben.node)
    try ben.wait("the messages") { events in
      events.contains(.broadcast([1], from: ana.node))
        && events.contains(.message([2], from: ana.node))
    }
    var options = NATSOptions(addresses: servers[0].address)
    options.credentials = credentials
    options.prefix = "lectern.v2"
    options.patienceSeconds = 3
    do {
      try NATSBus(options, node: NodeID(1)).stop()
      Issue.record("another prefix is permitted")
    } catch { #expect(error.kind == .permission) }
  }
}
