import Scene
import Testing
import Wire

@testable import Commands
@testable import Server

@Suite("Names of rooms")
struct FreshNameTests {
  @Test("fresh names are valid on the wire and are not codes")
  func shape() {
    for _ in 0..<500 {
      let name = FreshName.fresh()
      #expect(Hello.isRoomName(name), "\(name)")
      let parts = name.split(separator: "-")
      #expect(parts.count == 3 && parts[2].count == 5 && parts[2].allSatisfy(\.isNumber), "\(name)")
      #expect(name == name.lowercased() && name.count > 6, "\(name)")
    }
  }

  @Test("there are at least as many names as codes")
  func number() {
    #expect(FreshName.count >= 24 * 24 * 24 * 24 * 24 * 24)
  }
}
