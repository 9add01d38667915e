import Testing

@testable import HeadlessReader

@Suite("The estimate of the server's clock")
struct ServerClockTests {
  @Test("the fastest exchange decides, and halves of its round trip are equal")
  func fastest() {
    var clock = ServerClock()
    clock.start(serverTime: 100, receivedAt: 10)
    #expect(clock.offset == 90)
    clock.correct(sent: 20, server: 111, received: 22)
    #expect(clock.offset == 90)
    clock.correct(sent: 30, server: 125.5, received: 31)
    #expect(clock.offset == 95)
    clock.correct(sent: 40, server: 0, received: 42)
    #expect(clock.offset == 95)
  }

  @Test("an answer belongs to the time that was sent")
  func answers() {
    var clock = ServerClock()
    #expect(clock.answer(to: 1) == nil)
    clock.receive(client: 1, server: 50)
    #expect(clock.answer(to: 1) == 50)
    #expect(clock.answer(to: 2) == nil)
  }
}
