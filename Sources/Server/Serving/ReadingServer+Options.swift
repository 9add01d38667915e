package import SharedStore
package import WebServer

extension ReadingServer {
  /// The options of a server: what it serves, to whom, and where it keeps its data.
  package struct Options: Equatable, Sendable {
    /// The folder of books, which the server watches for changes.
    package var library: String
    /// The folder of the page's files; empty for none.
    package var web: String
    /// The addresses.
    package var network = Network()
    /// The connections.
    package var connections = Connections()
    /// The keys to the library.
    package var keys = Keys()
    /// What the server stores on the disk.
    package var storage = Storage()
    /// The number of service threads; at least 1.
    package var threads = 1
    /// How many members of a room one thread serves before the next one gets its share, because a
    /// thread that sends a frame to too many is late for the next message.
    package var membersPerThread = 256
    /// What the server logs.
    package var log = LogOptions()
    /// The file to which all input of the rooms is recorded; nil for none.
    package var record: String?
    /// Whether SIGINT and SIGTERM stop the server.
    package var stopsOnSignals = false

    /// Creates options with a library and the page's files, and defaults for the rest.
    package init(library: String, web: String) {
      self.library = library
      self.web = web
    }
  }
}

extension ReadingServer.Options {
  /// The addresses on which a server listens and under which others reach it.
  package struct Network: Equatable, Sendable {
    /// The port; 0 for any free one.
    package var port = 8080
    /// The numeric address to listen on.
    package var listen = "127.0.0.1"
    /// The address under which others reach the server, such as `https://books.example`; nil if
    /// there is no special one.
    package var publicURL: String?
    /// The path below which a proxy serves the library.
    package var basePath = BasePath.none
    /// The additional host names that the server answers to.
    package var hosts: [String] = []
    /// The proxies that report their clients.
    package var proxies = TrustedProxies.none
    /// The field in which the proxies name the user that has logged in to them, in lower case; nil
    /// for none.
    package var userHeader: String?
    /// The admin endpoint for health and metrics; nil for none.
    package var adminListen: Endpoint?

    /// Creates the default options.
    package init() {}
  }

  /// The keys that readers and admins must present.
  package struct Keys: Equatable, Sendable {
    /// The library's key; nil for the one in the data folder, which is required only if other
    /// machines reach the server.
    package var library: String?
    /// Where the library's key stands; nil for the data folder.
    package var libraryKeyLocation: KeyLocation?
    /// The files from which keys were read.
    package var files: [String] = []
    /// The token required to add or correct books; nil for the library's key.
    package var admin: String?
    /// Whether the library is visible without its key.
    package var opensLibrary = false

    /// Creates the default options.
    package init() {}
  }

  /// What a server stores on the disk.
  package struct Storage: Equatable, Sendable {
    /// The data folder; nil for a temporary one, which is deleted when the server stops.
    package var data: String?
    /// The store that several processes share; nil for none.
    package var store: StoreLocation?
    /// The credentials of a store in a bucket.
    package var storeCredentials: S3Credentials?
    /// The maximum size of the cache of page images, in bytes.
    package var cacheBytes = 2 << 30
    /// The maximum size of an uploaded file, in bytes.
    package var uploadBytes = 1 << 30
    /// How long an unused room is kept, in seconds.
    package var keepRooms = 30 * 86_400.0
    /// How often the folder of books is scanned for changes that the system does not report, in
    /// seconds; nil for 30 on a network share, and never elsewhere.
    package var scanSeconds: Double?
    /// Whether a deleted book may take its file in the library's folder with it.
    package var mayDeleteFiles = false

    /// Creates the default options.
    package init() {}
  }
}
