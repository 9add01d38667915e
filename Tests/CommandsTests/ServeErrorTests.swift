import HeadlessReader
import Motion
import Notices
import Scene
import Testing
import Wire

@Suite("The server's answers to errors", .timeLimit(.minutes(10)))
struct ServeErrorTests {
  let folder: SampleFolder
  let server: ServingThread

  init() throws {
    folder = try SampleFolder(books: [[4]])
    server = try ServingThread(folder)
  }

  /// Checks that the server answers a new member as if nothing had happened.
  func expectLife() throws {
    let reader = try server.reader("ALIVE")
    reader.press(.enter)
    try reader.waitUntilSettled()
  }

  @Test("a malformed message is answered with an error, and its sender stays")
  func malformed() throws {
    let reader = try server.reader("R")
    reader.send(bytes: [0x04, 0, 0, 200])
    let error = try reader.waitForError()
    #expect(error.code == 4003)
    #expect(error.notice.message.contains("key is 200"))
    try reader.exchangeClock()
    try expectLife()
  }

  @Test("a ninth malformed message closes the connection with 4003")
  func tooMany() throws {
    let reader = try server.reader("R")
    for _ in 0..<9 { reader.send(bytes: [0x99]) }
    #expect(try reader.waitForClose().code == 4003)
    try expectLife()
  }

  @Test("a message above 512 bytes closes the connection with 1009")
  func oversized() throws {
    let reader = try server.reader("R")
    reader.send(bytes: [UInt8](repeating: 2, count: 513))
    #expect(try reader.waitForClose().code == 1009)
    try expectLife()
  }

  @Test("a wrong version closes the connection with 4001, a bad room name with 4002")
  func hello() throws {
    var bytes = ClientMessage.hello(Hello(viewport: .plain)).encoded()
    bytes[1] = 1
    #expect(try closeCode(sending: bytes) == 4001)
    let bad = ClientMessage.hello(Hello(room: "../etc", viewport: .plain)).encoded()
    #expect(try closeCode(sending: bad) == 4002)
    try expectLife()
  }

  @Test("a missing or a second hello closes the connection with 1008, a broken one with 4000")
  func noHello() throws {
    #expect(try closeCode(sending: ClientMessage.key(.enter).encoded()) == 1008)
    #expect(try closeCode(sending: [0x01]) == 4000)
    let reader = try server.reader("R")
    reader.send(.hello(Hello(viewport: .plain)))
    #expect(try reader.waitForClose().code == 1008)
    try expectLife()
  }

  private func closeCode(sending bytes: [UInt8]) throws -> UInt16? {
    let connection = ClientConnection(to: ClientConnection.Target(port: server.port))
    connection.send(bytes)
    while let event = connection.receive(timeout: 10) {
      if case .closed(let code, _) = event { return code }
    }
    return nil
  }

  @Test("an unknown subprotocol or a foreign origin opens no connection")
  func refusals() throws {
    let targets = [
      ClientConnection.Target(port: server.port, subprotocol: "chat"),
      ClientConnection.Target(port: server.port, origin: "http://elsewhere.example"),
    ]
    for target in targets {
      let event = ClientConnection(to: target).receive(timeout: 10)
      guard case .failed = event else {
        Issue.record("\(target) gave \(String(describing: event))")
        continue
      }
    }
    try expectLife()
  }

  @Test("the server is healthy after thousands of random bytes")
  func oddBytes() throws {
    var random = SystemRandomNumberGenerator()
    for number in 0..<30 {
      let reader = try server.reader("ODD\(number)")
      for _ in 0..<40 {
        let count = Int.random(in: 1...60, using: &random)
        var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes[0] = UInt8.random(in: 2...8, using: &random)
        reader.send(bytes: bytes)
      }
      _ = try? reader.exchangeClock(timeout: 1)
    }
    try expectLife()
  }
}
