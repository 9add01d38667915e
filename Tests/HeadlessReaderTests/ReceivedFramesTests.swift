import Scene
import Testing
import Wire

@testable import HeadlessReader

@Suite("The frames that a reader received")
struct ReceivedFramesTests {
  private func update(_ number: UInt32) -> FrameUpdate {
    FrameUpdate(number: number, time: Double(number), screen: .shelf, isSettled: true, entries: [])
  }

  private func numbers(_ frames: [ReceivedFrame]) -> [UInt32] { frames.map(\.frame.number) }

  @Test("each frame of a batch is kept with the whole message")
  func batches() throws {
    var frames = ReceivedFrames()
    try frames.receive(.snapshot(update(4)), bytes: [1], receivedAt: 10)
    try frames.receive(.batch([update(5), update(6)]), bytes: [2, 3], receivedAt: 11)
    #expect(numbers(frames.all) == [4, 5, 6])
    #expect(frames.all.map(\.bytes) == [[1], [2, 3], [2, 3]])
    #expect(frames.all.map(\.receivedAt) == [10, 11, 11])
  }

  @Test("messages without frames leave no frame")
  func others() throws {
    var frames = ReceivedFrames()
    try frames.receive(.clock(clientTime: 1, serverTime: 2), bytes: [1], receivedAt: 10)
    try frames.receive(.retired([1]), bytes: [2], receivedAt: 10)
    #expect(frames.all.isEmpty)
  }

  @Test("each frame is taken once, in order, and stays in the list")
  func taking() throws {
    var frames = ReceivedFrames()
    #expect(frames.next() == nil)
    try frames.receive(.snapshot(update(1)), bytes: [], receivedAt: 0)
    try frames.receive(.delta(update(2)), bytes: [], receivedAt: 0)
    #expect(frames.next()?.frame.number == 1)
    #expect(frames.next()?.frame.number == 2)
    #expect(frames.next() == nil)
    #expect(numbers(frames.all) == [1, 2])
  }

  @Test("a frame out of sequence is an error, and the frames before it are kept")
  func outOfSequence() throws {
    var frames = ReceivedFrames()
    try frames.receive(.snapshot(update(1)), bytes: [], receivedAt: 0)
    #expect(throws: WireError.self) {
      try frames.receive(.batch([update(2), update(7)]), bytes: [], receivedAt: 0)
    }
    #expect(numbers(frames.all) == [1, 2])
  }
}
