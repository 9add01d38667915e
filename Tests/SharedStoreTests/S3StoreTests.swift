import Foundation
import TestStores
import Testing

@testable import SharedStore

@Suite("Stores behind an S3 API", .serialized, .timeLimit(.minutes(5)))
struct S3StoreTests {
  private static let key = BlobKey("meta/\(String(repeating: "0f", count: 32)).json")

  private static func store(
    _ server: S3Server,
    _ credentials: S3Credentials?,
    attempts: Int = 3
  ) throws -> any BlobStore {
    guard case .bucket(var options) = try StoreLocation(server.address(prefix: "s3")) else {
      throw S3Server.Failure(text: "not a bucket")
    }
    options.credentials = credentials
    options.attempts = attempts
    return S3Store(options)
  }

  @Test("the server verifies signatures, also those of a session and without a prefix")
  func signatures() throws {
    let server = try S3Server.shared.get()
    let key = try #require(Self.key)
    let user = server.credentials
    #expect(server.port % 2 == 1)
    for credentials in [user, server.sessionCredentials] {
      let store = try Self.store(server, credentials)
      try store.put([1, 2, 3], at: key)
      #expect(try store.get(key, limit: 9) == [1, 2, 3])
      #expect(try store.list(.meta, after: nil).map(\.key) == [key])
      try store.delete(key)
    }
    let whole = try StoreLocation(server.address(prefix: "")).store(user)
    try whole.put([1], at: key)
    #expect(try whole.list(.meta, after: nil).map(\.key) == [key])
    try whole.delete(key)
    let wrong = [
      S3Credentials(keyID: user.keyID, secret: user.secret + "x"),
      S3Credentials(keyID: "AKIAIOSFODNN7EXAMPLE", secret: user.secret),
    ]
    for credentials in wrong {
      let store = try Self.store(server, credentials)
      let error = #expect(throws: BlobStoreError.self) { try store.put([1], at: key) }
      guard case .denied = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(error?.description.contains(user.secret) == false)
    }
  }

  @Test("a missing bucket is an error and not a missing blob")
  func noBucket() throws {
    let server = try S3Server.shared.get()
    let key = try #require(Self.key)
    let address = server.address(prefix: "a").replacing("lectern-tests", with: "no-such-bucket")
    let store = try StoreLocation(address).store(server.credentials)
    let error = #expect(throws: BlobStoreError.self) { try store.get(key, limit: 9) }
    #expect(error?.description.contains("NoSuchBucket") == true)
  }

  @Test("a failure that passes is tried again, a few times")
  func retries() throws {
    let server = try S3Server()
    let key = try #require(Self.key)
    let store = try Self.store(server, server.credentials)
    try server.fail(2)
    try store.put([4], at: key)
    try server.fail(3)
    let error = #expect(throws: BlobStoreError.self) { try store.get(key, limit: 9) }
    #expect(error?.isOutage == true && error?.description.contains("503") == true)
    #expect(try store.get(key, limit: 9) == [4])
  }

  @Test("a server that is gone is an outage, and its blobs are there when it is back")
  func outage() throws {
    let server = try S3Server()
    let key = try #require(Self.key)
    let store = try Self.store(server, server.credentials, attempts: 2)
    try store.put([1], at: key)
    try server.stop()
    for use in [
      { try store.put([2], at: key) }, { _ = try store.get(key, limit: 9) },
      { _ = try store.list(.meta, after: nil) },
    ] {
      let error = #expect(throws: BlobStoreError.self) { try use() }
      #expect(error?.isOutage == true, "\(String(describing: error))")
      #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
    }
    try server.start()
    #expect(try store.get(key, limit: 9) == [1])
  }

  @Test("credentials come from the environment or a file")
  func credentials() throws {
    let names = ["AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "se/c+ret="]
    #expect(S3Credentials(environment: names) == S3Credentials(keyID: "id", secret: "se/c+ret="))
    #expect(
      S3Credentials(environment: names.merging(["AWS_SESSION_TOKEN": "t"]) { $1 })?.token == "t"
    )
    #expect(S3Credentials(environment: ["AWS_ACCESS_KEY_ID": "id"]) == nil)
    #expect(
      S3Credentials(environment: names.merging(["AWS_ACCESS_KEY_ID": "a\r\nb"]) { $1 }) == nil
    )
    let file = """
      [default]
      aws_access_key_id = one
      aws_secret_access_key=two=
      [other]
      aws_access_key_id = three
      """
    #expect(S3Credentials(file: file) == S3Credentials(keyID: "one", secret: "two="))
    #expect(S3Credentials(file: "[default]\n") == nil)
    #expect(throws: StoreLocationError.self) { try S3Credentials(path: "/no/such/file") }
  }

  @Test("locations are parsed, and mistakes are explained")
  func locations() throws {
    #expect(try StoreLocation("/mnt/books") == .folder("/mnt/books"))
    var options = S3Options(endpoint: "http://[::1]:9001", region: "eu-1", bucket: "b-1.x")
    options.prefix = "School/a"
    let address = "s3://b-1.x/School/a/?endpoint=http://[::1]:9001/&region=eu-1"
    #expect(try StoreLocation(address) == .bucket(options))
    let amazon = S3Options(endpoint: "https://s3.eu-west-1.amazonaws.com", bucket: "abc")
    var expected = amazon
    expected.region = "eu-west-1"
    #expect(try StoreLocation("s3://abc?region=eu-west-1") == .bucket(expected))
    for (text, word) in [
      ("books", "begins with /"), ("http://x/y", "begins with /"), ("s3://A/b", "bucket"),
      ("s3://abc/../x", "prefix"), ("s3://abc/x y", "prefix"),
      ("s3://abc?endpoint=x:1", "endpoint"),
      ("s3://abc?endpoint=http://h:99999", "endpoint"),
      ("s3://abc?endpoint=http://h/p", "endpoint"),
      ("s3://abc?endpoint=http://u@h", "endpoint"), ("s3://abc?region=EU", "region"),
      ("s3://abc?secret=1", "secret"), ("s3://abc?endpoint=http://", "endpoint"),
    ] {
      let error = #expect(throws: StoreLocationError.self) { try StoreLocation(text) }
      #expect(error?.description.contains(word) == true, "\(text): \(String(describing: error))")
    }
  }

  @Test("a list is parsed, and other answers are not lists")
  func listing() throws {
    let xml = """
      <?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
      <IsTruncated>true</IsTruncated><Contents><Key>a&amp;b</Key><ETag>&quot;1&quot;</ETag>
      <Size>12</Size></Contents><Contents><Key>c</Key><Size>-1</Size></Contents>
      <Contents><Size>1</Size></Contents><Contents><Key>d</Key><Size>0</Size></Contents><Contents>
      """
    let list = try #require(S3Listing(xml: Array(xml.utf8)))
    #expect(list.isTruncated)
    #expect(list.entries.map(\.key) == ["a&b", "d"] && list.entries.map(\.tag) == ["\"1\"", ""])
    #expect(S3Listing(xml: Array("<Error><Code>X</Code></Error>".utf8)) == nil)
    #expect(S3Listing(xml: []) == nil)
  }
}
