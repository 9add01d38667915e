import Foundation
package import SharedStore

/// A server with an S3 API on this machine, which ends together with this object.
package final class S3Server: @unchecked Sendable {
  // Unchecked Sendable: the pipes are used under the lock only.
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let lock = NSLock()
  private let facts: Facts

  private struct Facts: Decodable {
    var port: Int
    var bucket: String
    var key: String
    var secret: String
    var session: [String]
  }

  /// A reason that there is no server.
  package struct Failure: Error {
    /// What went wrong.
    package var text: String

    /// Creates a reason.
    package init(text: String) { self.text = text }
  }

  /// A server for tests that never stop it; started at first use.
  package static let shared = Result { try S3Server() }

  /// Starts a server and waits until it answers.
  package init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    process.executableURL = root.appendingPathComponent("Scripts/python")
    process.arguments = ["Tests/Stores/s3_server.py"]
    process.currentDirectoryURL = root
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = Self.line(from: output)
    guard let line, let facts = try? JSONDecoder().decode(Facts.self, from: line) else {
      throw Failure(text: "The S3 server did not start; see the standard error.")
    }
    self.facts = facts
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The port, which is odd.
  package var port: Int { facts.port }

  /// The credentials of a user.
  package var credentials: S3Credentials { S3Credentials(keyID: facts.key, secret: facts.secret) }

  /// The credentials of a session.
  package var sessionCredentials: S3Credentials {
    S3Credentials(keyID: facts.session[0], secret: facts.session[1], token: facts.session[2])
  }

  /// The address of a part of the bucket, as for the option `--store`.
  package func address(prefix: String) -> String {
    "s3://\(facts.bucket)/\(prefix)?endpoint=http://127.0.0.1:\(facts.port)&region=us-east-1"
  }

  /// Opens an empty part of the bucket.
  package func store() throws -> any BlobStore {
    try StoreLocation(address(prefix: UUID().uuidString)).store(credentials)
  }

  /// Refuses connections from now on.
  package func stop() throws { try tell("stop") }

  /// Accepts connections again.
  package func start() throws { try tell("start") }

  /// Answers the next requests with status 503.
  package func fail(_ count: Int) throws { try tell("fail \(count)") }

  /// Replaces the content of an object by another.
  package func damage(_ key: String) throws { try tell("break \(key)") }

  private func tell(_ command: String) throws {
    try lock.withLock {
      try input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
      guard Self.line(from: output) != nil else {
        throw Failure(text: "The S3 server has ended.")
      }
    }
  }

  private static func line(from pipe: Pipe) -> Data? {
    var line = Data()
    while let byte = try? pipe.fileHandleForReading.read(upToCount: 1), let byte = byte.first {
      if byte == UInt8(ascii: "\n") { return line }
      line.append(byte)
    }
    return nil
  }
}
