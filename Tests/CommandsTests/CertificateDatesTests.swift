import Foundation
import Testing

@testable import Commands
@testable import Server

@Suite("Dates of certificates")
struct CertificateDatesTests {
  /// Valid from 2020-01-01 to 2030-06-15 12:34:56, with years of two digits.
  static let short = """
    -----BEGIN CERTIFICATE-----
    MIG+MHICAQEwBQYDK2VwMAwxCjAIBgNVBAMMAWEwHhcNMjAwMTAxMDAwMDAwWhcN
    MzAwNjE1MTIzNDU2WjAMMQowCAYDVQQDDAFhMCowBQYDK2VwAyEA6eVBKfaGHlHu
    ZrBYa2FOQKZGlJddbFV+u1IyKRynU6AwBQYDK2VwA0EAYlxmXBXTqrPb9Xm+4FnR
    egj0meo7KpT3RCZryaPKv5qVV93N02f2uac1QreLlC7NYjp94Lf9pLfz2WbLcCYx
    Bw==
    -----END CERTIFICATE-----
    """
  /// Valid from 2020-01-01 to 2061-02-03 04:05:06, the latter with a year of four digits.
  static let long = """
    A comment
    -----BEGIN CERTIFICATE-----
    MIHAMHQCAQIwBQYDK2VwMAwxCjAIBgNVBAMMAWEwIBcNMjAwMTAxMDAwMDAwWhgP
    MjA2MTAyMDMwNDA1MDZaMAwxCjAIBgNVBAMMAWEwKjAFBgMrZXADIQDp5UEp9oYe
    Ue5msFhrYU5ApkaUl11sVX67UjIpHKdToDAFBgMrZXADQQDoUBX6MhOyc8NMHcPB
    CfdAbbnjj5+ZlgRLD+h2mselEet4H2HfOdzwFl+rGhwUtgBGAuwi3Kcke0/Qwqwe
    ov4C
    -----END CERTIFICATE-----
    """
  /// Valid to 2126-10-31 08:10:44, with the version that current certificates have.
  static let versioned = """
    -----BEGIN CERTIFICATE-----
    MIIBLjCB4aADAgECAhQVoQM/5uADU6NvFCFbN8PGFyN9hDAFBgMrZXAwDDEKMAgG
    A1UEAwwBYTAgFw0yNjExMjQwODEwNDRaGA8yMTI2MTAzMTA4MTA0NFowDDEKMAgG
    A1UEAwwBYTAqMAUGAytlcAMhAOnlQSn2hh5R7mawWGthTkCmRpSXXWxVfrtSMikc
    p1Ogo1MwUTAdBgNVHQ4EFgQUgjAQjE3CJ6zoGbQMnC4S6KKOHJwwHwYDVR0jBBgw
    FoAUgjAQjE3CJ6zoGbQMnC4S6KKOHJwwDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXAD
    QQDwpzwtGo8ln+yAoU/2gFejvYRcjnrd/uFhTYWOPbmvkBa/her5l7ILO9BoC/Fm
    3j4Bq5XBRs278KIqdrmfxFgM
    -----END CERTIFICATE-----
    """

  private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  @Test("both forms of times are read")
  func dates() throws {
    let short = try #require(CertificateDates(pem: Self.short))
    #expect(short.from == (try date("2020-01-01T00:00:00Z")))
    #expect(short.until == (try date("2030-06-15T12:34:56Z")))
    let long = try #require(CertificateDates(pem: Self.long))
    #expect(long.until == (try date("2061-02-03T04:05:06Z")))
    let versioned = try #require(CertificateDates(pem: Self.versioned))
    #expect(versioned.until == (try date("2126-10-31T08:10:44Z")))
  }

  @Test("what is no certificate, or is damaged anywhere, has no dates and does no harm")
  func damaged() {
    #expect(CertificateDates(pem: "") == nil)
    #expect(CertificateDates(pem: "-----BEGIN CERTIFICATE-----") == nil)
    let (head, foot) = ("-----BEGIN CERTIFICATE-----\n", "\n-----END CERTIFICATE-----")
    let lines = Self.short.split(separator: "\n").dropFirst().dropLast().joined()
    let bytes = Array(Data(base64Encoded: lines) ?? Data())
    #expect(bytes.count > 100)
    for count in 0..<90 {
      let text = head + Data(bytes[..<count]).base64EncodedString() + foot
      #expect(CertificateDates(pem: text) == nil, "\(count) bytes")
    }
    var read = 0
    for place in bytes.indices {
      for value in [0, 0x7F, 0x80, 0x84, 0x85, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[place] = value
        let text = head + Data(damaged).base64EncodedString() + foot
        if CertificateDates(pem: text) != nil { read += 1 }
      }
    }
    // Changes after the dates do not matter to them.
    #expect(read > 0)
  }

  @Test("a certificate that expired, or that is not valid yet, is a problem")
  func verdicts() throws {
    let folder = try SampleFolder()
    let file = folder.root.appendingPathComponent("certificate.pem").path
    try Data(Self.short.utf8).write(to: URL(fileURLWithPath: file))
    func finding(_ day: String) throws -> Finding {
      NATSChecks.certificate(file, at: try date("\(day)T00:00:00Z"))
    }
    #expect(try finding("2026-01-01").verdict == .ok)
    #expect(try finding("2030-06-01").verdict == .warning)
    #expect(try finding("2030-06-16").verdict == .problem)
    #expect(try finding("2030-06-16").text.contains("expired at 2030-06-15T12:34:56Z"))
    #expect(try finding("2019-01-01").verdict == .problem)
    #expect(NATSChecks.certificate(file + "x", at: Date()).text.contains("cannot be read"))
    let other = NATSChecks.certificate(folder.web + "/index.html", at: Date())
    #expect(other.verdict == .problem && other.text.contains("no certificate"))
  }
}
