import Fabric
import Scene
import TestVectors
import Testing
import Wire

@testable import Gateway

@Suite("A stream's replica")
struct StreamReplicaTests {
  private func note(_ messages: HostMessages, in replica: inout StreamReplica, now: Double) {
    messages.bytes.withUnsafeBytes { bytes in
      for case .publish(let range, let kind, _) in messages.list {
        replica.note(UnsafeRawBufferPointer(rebasing: bytes[range]), kind, now: now)
      }
    }
  }

  @Test("gives a late member the frame at a given time and all later ones, bit for bit")
  func picture() throws {
    var (stream, replica, early) = (PublishedStream(), StreamReplica(), FrameDecoder())
    stream.introduce([1, 2, 3])
    stream.snapshot(stream.frame([1, 2], angle: 0), at: 10)
    let flight = (1...20).map { step in
      TimedFrame(
        time: 10 + Double(step) / 60,
        frame: stream.frame(step < 10 ? [1, 2] : [2, 3], angle: Double(step) / 20)
      )
    }
    stream.flight(flight)
    let messages = stream.take()
    note(messages, in: &replica, now: 10)
    for case .publish(let range, _, _) in messages.list {
      try early.handle([Array(messages.bytes[range])])
    }
    for seen in [0, 5, 12, 20] {
      var late = FrameDecoder()
      try late.handle(replica.elementsMessages())
      let picture = replica.picture(at: 10 + (Double(seen) + 0.5) / 60)
      try late.handle([picture.snapshot])
      #expect(late.latest == early.queue[seen])
      try late.handle(picture.rest)
      #expect(late.queue == Array(early.queue[seen...]))
    }
  }

  @Test("keeps only frames that may still be shown, however long a stream lasts")
  func bounded() throws {
    var (stream, replica) = (PublishedStream(), StreamReplica())
    stream.introduce([1])
    stream.snapshot(stream.frame([1], angle: 0), at: 0)
    for step in 1...2000 {
      let time = Double(step) / 60
      stream.delta(stream.frame([1], angle: time), at: time)
      note(stream.take(), in: &replica, now: time)
    }
    var late = FrameDecoder()
    try late.handle(replica.elementsMessages())
    let picture = replica.picture(at: 0)
    try late.handle([picture.snapshot] + picture.rest)
    #expect(late.queue.count <= 62)
    #expect(late.latest?.number == 2001)
  }

  @Test("starts again with a keyframe")
  func keyframe() throws {
    var (stream, replica) = (PublishedStream(), StreamReplica())
    stream.introduce([1])
    stream.snapshot(stream.frame([1], angle: 0), at: 0)
    stream.delta(stream.frame([1], angle: 0.1), at: 0.1)
    stream.messages.publish(.keyframe, on: stream.id) { [encoder = stream.encoder] in
      encoder.snapshotOfLast(into: &$0)
    }
    stream.delta(stream.frame([1], angle: 0.2), at: 0.2)
    note(stream.take(), in: &replica, now: 0.2)
    let picture = replica.picture(at: 0)
    var late = FrameDecoder()
    try late.handle(replica.elementsMessages() + [picture.snapshot] + picture.rest)
    #expect(late.queue.map(\.number) == [2, 3])
  }

  @Test("shows a late member no frame with a retired element")
  func retired() throws {
    var (stream, replica) = (PublishedStream(), StreamReplica())
    stream.introduce([1, 2])
    stream.snapshot(stream.frame([1], angle: 0), at: 1)
    stream.delta(stream.frame([2], angle: 0), at: 1.01)
    stream.retire(keeping: [2])
    note(stream.take(), in: &replica, now: 1.01)
    var late = FrameDecoder()
    try late.handle(replica.elementsMessages())
    let picture = replica.picture(at: 1)
    try late.handle([picture.snapshot] + picture.rest)
    #expect(late.queue.map(\.number) == [2])
  }

  @Test("survives any bytes, and is correct again after the next snapshot")
  func anyBytes() throws {
    var random = SplitMix64(seed: 4)
    var (stream, replica) = (PublishedStream(), StreamReplica())
    let kinds: [Publication] = [.snapshot, .frames, .keyframe, .still, .elements, .caption]
    for turn in 0..<3000 {
      let count = Int.random(in: 0...60, using: &random)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      if count > 0 { bytes[0] = UInt8.random(in: 0x82...0x95, using: &random) }
      let kind = kinds[Int.random(in: kinds.indices, using: &random)]
      bytes.withUnsafeBytes { replica.note($0, kind, now: Double(turn)) }
      _ = replica.picture(at: Double(turn))
      _ = replica.elementsMessages()
    }
    stream.introduce([1])
    stream.snapshot(stream.frame([1], angle: 0), at: 4000)
    note(stream.take(), in: &replica, now: 4000)
    #expect(!replica.picture(at: 4000).snapshot.isEmpty)
  }
}
