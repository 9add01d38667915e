import Testing
@testable import FabricNATS
@Test func v() { #expect(version() == "3.4.1") }
