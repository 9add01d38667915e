import Testing

@testable import Fabric

@Suite("Nodes and owners")
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

  @Test("the owner of a lease is read as it was written, and nothing else is read")
  func owners() {
    func read(_ bytes: [UInt8]) -> LeaseOwner? { LeaseOwner(Record(value: bytes, revision: 9)) }
    let owner = LeaseOwner(node: NodeID(77), epoch: 1 << 40, address: "höhe:8080")
    #expect(read(owner.bytes) == owner)
    for count in 0..<owner.bytes.count { #expect(read(Array(owner.bytes.prefix(count))) == nil) }
    #expect(read(owner.bytes + [0]) == nil && read([2] + owner.bytes.dropFirst()) == nil)
    // An epoch that is not written is the revision of the record.
    let taken = LeaseOwner(node: NodeID(1), epoch: 0, address: String(repeating: "ö", count: 400))
    #expect(read(taken.bytes)?.epoch == 9 && taken.bytes.count <= 18 + 255)
    // Versions of the server share their leases while a cluster is updated.
    let bytes: [UInt8] = [1, 77, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1, 0x61]
    #expect(LeaseOwner(node: NodeID(77), epoch: 5, address: "a").bytes == bytes)
  }
}
