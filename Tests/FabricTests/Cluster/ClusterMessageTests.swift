import Bytes
import Fabric
import Motion
import Scene
import TestVectors
import Testing
import Wire

private let viewport = Viewport(size: Size(width: 800, height: 600))
private let stream = StreamID(room: "amber-heron-1")
private let own = StreamID(room: "amber-heron-1", wanderer: MemberID(7))

private func hostMessages() -> HostMessages {
  var messages = HostMessages(reserving: 0)
  let publications: [Publication] = [
    .snapshot, .frames, .keyframe, .still, .elements, .caption, .pointer(of: MemberID(3)),
  ]
  for (number, publication) in publications.enumerated() {
    messages.publish(publication, on: number.isMultiple(of: 2) ? stream : own) {
      $0 += [0x84, UInt8(number)]
    }
  }
  let others: [HostMessage] = [
    .attach(MemberID(1), to: stream), .detach(MemberID(2)),
    .fork(own, from: stream, for: MemberID(7)), .end(own), .setDelay(0.05, of: stream),
    .setInterval(0.1, of: MemberID(1)), .setReducesMotion(true, of: MemberID(1)),
    .close(MemberID(4), code: 4007, reason: "the host removed the member"),
    .adopt(MemberID(5), as: MemberID(6)),
    .welcomed(MemberID(6), Rejoin(room: "amber-heron-1", resume: "r", key: "", reader: "s")),
  ]
  for message in others { messages.append(message) }
  messages.send(to: MemberID(9)) { $0 += [1, 2, 3] }
  return messages
}

private let all: [ClusterMessage] = [
  .toHost(
    [
      .hello(
        MemberID(1),
        Hello(room: "a", key: "k", resume: "r", reader: "s", viewport: viewport),
        peer: "10.0.0.7",
        room: "a"
      ),
      .packet(MemberID(1), ClientPacket(.key(.arrowRight), role: 3)), .tooOften(MemberID(2)),
      .blocked(MemberID(3)), .unblocked(MemberID(3)), .left(MemberID(4), code: 1006),
    ],
    room: "a",
    epoch: 12
  ),
  .fromHost(hostMessages(), room: "a", epoch: 1 << 40, sent: 12.5),
  .notOwner(room: "a", epoch: 0), .owned(room: "a", epoch: 7), .heartbeat(isEnding: true),
  .clockRequest(sent: 1.5), .clock(sent: 1.5, time: -2.25),
  .questions(
    [
      .isPass("p"), .opensBook("b", pass: "p"), .opensCollection("c", pass: ""),
      .shows(page: 3, book: "b"),
    ],
    id: 9
  ),
  .answers([true, false], id: 9), .storeChanged(["meta/0a.json"]),
]

@Suite("Messages between nodes")
struct ClusterMessageTests {
  @Test("are the same after they were encoded and decoded", arguments: all)
  func roundTrip(_ message: ClusterMessage) throws {
    #expect(try ClusterMessage(message.bytes) == message)
  }

  @Test("that are cut off anywhere are rejected", arguments: all)
  func truncated(_ message: ClusterMessage) {
    let bytes = message.bytes
    for count in bytes.indices {
      #expect(throws: ByteError.self, "\(count) bytes") {
        try ClusterMessage(Array(bytes[..<count]))
      }
    }
  }

  @Test("with any bytes changed are decoded or rejected, and never trap")
  func fuzzed() {
    for seed in UInt64(0)..<400 {
      var random = SplitMix64(seed: seed)
      var bytes = all[Int(seed % UInt64(all.count))].bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] = UInt8.random(in: .min ... .max, using: &random)
      }
      guard case .fromHost(let messages, _, _, _)? = try? ClusterMessage(bytes) else { continue }
      for case .send(let range, _) in messages.list {
        #expect(messages.bytes.indices.contains(range), "seed \(seed)")
      }
    }
  }
}
