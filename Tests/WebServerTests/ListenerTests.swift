import Glibc
import Testing

@testable import WebServer

@Suite("Listening")
struct ListenerTests {
  @Test("connections are accepted with their source, and only real ones")
  func accepting() throws {
    let options = ServerOptions(adminEndpoint: .init(address: "127.0.0.1", port: 0))
    let listeners = try Listeners(options)
    let (main, admin) = (listeners.main, listeners.admin)
    #expect(listeners.isAdmin(admin) && !listeners.isAdmin(main))
    #expect(listeners.accept(from: main) == .nothing)
    let client = RawSocket(port: listeners.port, from: "127.0.0.7")
    guard case .connection(let accepted, "127.0.0.7") = listeners.accept(from: main) else {
      Issue.record("The connection was not accepted")
      return
    }
    #expect(listeners.accept(from: main) == .nothing)
    #expect(listeners.accept(from: admin) == .nothing)
    close(accepted)
    #expect(client.isHungUp())
  }

  @Test("a port that is in use is an error, for readers and for admins")
  func portInUse() throws {
    let taken = try Listeners(ServerOptions())
    #expect(throws: ServerError.self) { try Listeners(ServerOptions(port: taken.port)) }
    var options = ServerOptions()
    options.adminEndpoint = .init(address: "127.0.0.1", port: taken.port)
    #expect(throws: ServerError.self) { try Listeners(options) }
    withExtendedLifetime(taken) {}
  }
}

@Suite("The timer of the application")
struct TickTimerTests {
  /// Returns whether the timer's descriptor becomes readable in time.
  private func isReadable(_ timer: TickTimer, milliseconds: Int32) -> Bool {
    var event = pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, milliseconds) == 1
  }

  @Test("a timer for a time in the past, or for NaN, is due", arguments: [-1, 0, .nan, 1e-3])
  func past(time: Double) {
    let timer = TickTimer()
    timer.set(time)
    #expect(isReadable(timer, milliseconds: 10_000))
    #expect(timer.consume() && !timer.consume())
    timer.set(time)
    #expect(isReadable(timer, milliseconds: 10_000))
    close(timer.descriptor)
  }

  @Test("a timer for no time or for a far time is not due", arguments: [nil, Double.infinity])
  func future(time: Double?) {
    let timer = TickTimer()
    timer.set(-1)
    timer.set(time)
    #expect(!isReadable(timer, milliseconds: 0) && !timer.consume())
    close(timer.descriptor)
  }
}
