internal import Glibc

/// The bucket of an S3 API, and how to reach it.
package struct S3Options: Equatable, Sendable {
  /// The scheme, host and port, such as `http://127.0.0.1:9001`.
  package var endpoint: String
  /// The region that signatures name.
  package var region: String
  /// The bucket.
  package var bucket: String
  /// The beginning of all keys, without slashes at its ends; may be empty.
  package var prefix: String
  /// The credentials; nil for an API that needs none.
  package var credentials: S3Credentials?
  /// The number of attempts for one request.
  package var attempts = 3
  /// How long to wait for a connection, in seconds.
  package var connectSeconds = 5
  /// How long a file may make no progress, in seconds.
  package var stallSeconds = 30
  /// How long any other answer may make no progress, in seconds.
  package var answerSeconds = 10

  /// Creates options; the bucket's name is part of the path, as in `endpoint/bucket/key`.
  package init(
    endpoint: String,
    region: String = "us-east-1",
    bucket: String,
    prefix: String = "",
    credentials: S3Credentials? = nil
  ) {
    (self.endpoint, self.region, self.bucket, self.prefix) = (endpoint, region, bucket, prefix)
    self.credentials = credentials
  }
}

/// The credentials of an S3 API.
package struct S3Credentials: Equatable, Sendable {
  /// The id of the access key.
  package var keyID: String
  /// The secret access key.
  package var secret: String
  /// The token of a temporary session; empty if there is none.
  package var token: String

  /// Creates credentials.
  package init(keyID: String, secret: String, token: String = "") {
    (self.keyID, self.secret, self.token) = (keyID, secret, token)
  }

  /// Takes credentials from the variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and
  /// `AWS_SESSION_TOKEN`; nil if the first two are not set.
  package init?(environment: [String: String]) {
    guard let id = environment["AWS_ACCESS_KEY_ID"],
      let secret = environment["AWS_SECRET_ACCESS_KEY"],
      Self.isFit(id), Self.isFit(secret)
    else { return nil }
    let token = environment["AWS_SESSION_TOKEN"] ?? ""
    guard token.isEmpty || Self.isFit(token) else { return nil }
    self.init(keyID: id, secret: secret, token: token)
  }

  /// Takes credentials from the first section of a file as other programs write it to
  /// `~/.aws/credentials`; nil if it has none.
  package init?(file text: String) {
    var values: [String: String] = [:]
    var sections = 0
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") { sections += 1 }
      guard sections <= 1, let sign = line.firstIndex(of: "=") else { continue }
      let name = line[..<sign].filter { !$0.isWhitespace }.uppercased()
      values[name] = String(line[line.index(after: sign)...].filter { !$0.isWhitespace })
    }
    self.init(environment: values)
  }

  /// Reads credentials from a file.
  /// - Throws: ``StoreLocationError`` if the file cannot be read or has no credentials.
  package init(path: String) throws(StoreLocationError) {
    let bytes: [UInt8]
    do throws(LocalFile.Failure) {
      bytes = try LocalFile(reading: path).read()
    } catch {
      throw .credentials("The file of credentials cannot be read: \(error.text)")
    }
    guard let found = Self(file: String(decoding: bytes.prefix(1 << 16), as: UTF8.self)) else {
      throw .credentials(
        "The file \(path) has no credentials; it needs the lines aws_access_key_id = ID and "
          + "aws_secret_access_key = SECRET"
      )
    }
    self = found
  }

  /// A part is printable and has no space, so it cannot break the header that contains it.
  private static func isFit(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 4096 && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
  }
}
