import Testing

@testable import Fabric

@Suite("Nodes and heartbeats")
struct NodeTests {
  @Test("a node is named by sixteen lowercase hexadecimal digits and nothing else")
  func names() {
    #expect(NodeID(0).text == "0000000000000000" && NodeID(.max).text == "ffffffffffffffff")
    for number in [0, 1, 0xabc, UInt64.max] {
      #expect(NodeID(NodeID(number).text) == NodeID(number))
    }
    let wrong = [
      "", "1", "000000000000000g", "ABCDEF0000000000", "00000000000000000", " 00000000000000",
    ]
    for text in wrong + ["０00000000000000"] { #expect(NodeID(text) == nil, "\(text)") }
  }

  @Test("a heartbeat and a lease are read as they were written, and nothing else is read")
  func bytes() {
    let heartbeat = Heartbeat(state: .draining, load: 998, rooms: 70_000)
    var bytes: [UInt8] = []
    heartbeat.encode(into: &bytes)
    #expect(Heartbeat(bytes) == heartbeat && bytes.count == Heartbeat.byteCount)
    let lease = LeaseValue(node: NodeID(77), epoch: 1 << 40, address: "höhe:8080")
    #expect(LeaseValue(lease.bytes) == lease)
    for count in 0..<bytes.count { #expect(Heartbeat(bytes.prefix(count)) == nil) }
    for count in 0..<lease.bytes.count {
      #expect(LeaseValue(Array(lease.bytes.prefix(count))) == nil)
    }
    #expect(LeaseValue(lease.bytes + [0]) == nil && Heartbeat(bytes + [0]) == nil)
    bytes[1] = 3
    #expect(Heartbeat(bytes) == nil)
    let long = LeaseValue(node: NodeID(1), epoch: 0, address: String(repeating: "ö", count: 400))
    #expect(LeaseValue(long.bytes) != nil && long.bytes.count <= 18 + 255)
  }
}
