// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors everywhere; a test checks that the pure targets do not import Foundation.
let strict: [SwiftSetting] = [
  .unsafeFlags(["-warnings-as-errors"]),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func target(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

// Tests run in debug builds, because those compile only the files that have changed. What computes
// motion is optimized in them nevertheless, because simulations compute hours of it: as a whole, as
// in a release, because Swift 6.3.1 miscompiles some of it file by file.
let optimized =
  strict + [.unsafeFlags(["-O", "-wmo", "-num-threads", "2"], .when(configuration: .debug))]

func computing(
  _ name: String,
  _ dependencies: [Target.Dependency],
  path: String? = nil,
  adding settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: path,
    swiftSettings: optimized + settings
  )
}

// Tests stay unoptimized even if the code under test is optimized: the optimizer would release a
// connection or a server after its last use, and not at the end of the test that needs it.
let tested = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: dependencies + [.target(name: name)],
    exclude: exclude,
    swiftSettings: tested
  )
}

let package = Package(
  name: "Lectern",
  products: [
    .executable(name: "lectern", targets: ["lectern"]),
    .executable(name: "lectern-press", targets: ["lectern-press"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLibwebsockets",
      pkgConfig: "libwebsockets",
      providers: [.apt(["libwebsockets-dev"])]
    ),
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]
    ),
    .systemLibrary(
      name: "CCrypto",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"])]
    ),
    // The flavour that uses OpenSSL, like the libcurl that a Swift toolchain needs.
    .systemLibrary(
      name: "CCurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]
    ),
    .systemLibrary(
      name: "CQREncode",
      pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"])]
    ),

    computing("Bytes", []),
    computing("Rates", []),
    // Messages to people, and below them nothing.
    target("Notices", []),
    // The C library declares `sincos` with this definition only.
    computing("Motion", [], adding: [.unsafeFlags(["-Xcc", "-D_GNU_SOURCE"])]),
    computing("Scene", ["Motion"]),
    computing("Staging", ["Motion", "Scene"]),
    computing("Wire", ["Bytes", "Motion", "Notices", "Scene"]),
    computing("Fabric", ["Bytes", "Rates", "Wire"]),
    computing("Gateway", ["Bytes", "Fabric", "Notices", "Rates", "Scene", "Wire"]),
    computing(
      "Rooms",
      ["Bytes", "Fabric", "Motion", "Notices", "Rates", "Scene", "Staging", "Wire"]
    ),
    target("Recording", ["Motion", "Scene"]),
    target("PressProtocol", ["Bytes", "Notices"]),
    target("Telemetry", ["CSanitizer"]),

    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // The libraries that parse untrusted files; only the press links them.
    .systemLibrary(
      name: "CPoppler",
      pkgConfig: "poppler-glib",
      providers: [.apt(["libpoppler-glib-dev", "libfontconfig-dev"])]
    ),
    .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(
      name: "CArchive",
      pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"])]
    ),
    .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CQPDF", pkgConfig: "libqpdf", providers: [.apt(["libqpdf-dev"])]),
    .systemLibrary(name: "CMarkdown", providers: [.apt(["libmd4c-html0-dev"])]),
    .systemLibrary(name: "CDjVu", providers: [.apt(["libdjvulibre-dev"])]),
    .systemLibrary(name: "CMobi", providers: [.apt(["libmobi-dev"])]),
    .systemLibrary(name: "CHyphen", providers: [.apt(["libhyphen-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG",
      pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"])]
    ),
    .target(name: "CSandbox", linkerSettings: [.linkedLibrary("seccomp")]),
    target(
      "Press",
      [
        "Bytes", "PressProtocol", "CSandbox", "CPoppler", "CWebP", "CArchive", "CXML", "CTurboJPEG",
        "CDjVu", "CHyphen", "CJansson", "CMarkdown", "CMobi", "CQPDF",
      ]
    ),
    .executableTarget(name: "lectern-press", dependencies: ["Press"], swiftSettings: strict),

    .systemLibrary(name: "CSpawn"),
    // Empty, except in programs that are built with the thread sanitizer.
    .target(name: "CSanitizer"),
    target("Pressroom", ["Bytes", "CSpawn", "PressProtocol", "Telemetry"]),
    target(
      "Library",
      [
        "Bytes", "CCrypto", "CSQLite", "CSanitizer", "CSpawn", "Motion", "Notices",
        "PressProtocol", "Pressroom", "Scene",
        "SharedStore", "Telemetry",
      ]
    ),
    target("SharedStore", ["Bytes", "CCrypto", "CCurl"]),
    .target(name: "CUring", linkerSettings: [.linkedLibrary("uring")]),
    // It loads libnats when NATS is used, instead of linking it.
    .target(name: "CNATS"),
    target("FabricNATS", ["Bytes", "CNATS", "CSanitizer", "Fabric"]),
    target(
      "WebServer",
      ["Bytes", "CLibwebsockets", "CSanitizer", "CUring", "CZlib", "Rates", "Telemetry"]
    ),
    target(
      "HeadlessReader",
      ["CLibwebsockets", "CSanitizer", "Motion", "Notices", "Scene", "Wire"]
    ),
    target(
      "Clustering",
      ["Bytes", "Fabric", "Library", "Rooms", "Scene", "Telemetry", "WebServer", "Wire"]
    ),
    target(
      "Server",
      [
        "Bytes", "Clustering", "Fabric", "Gateway", "Motion", "Notices", "Scene", "Staging", "Wire",
        "Rates",
        "Rooms",
        "Recording", "PressProtocol", "Library", "Pressroom", "SharedStore", "WebServer",
        "Telemetry", "CCrypto", "CQREncode",
      ]
    ),
    target(
      "Commands",
      [
        "CCrypto", "CSpawn", "Clustering", "Fabric", "FabricNATS", "Library", "Motion", "Notices",
        "PressProtocol",
        "Pressroom", "Recording", "Rooms", "Scene", "Server", "SharedStore", "Staging",
        "Telemetry", "WebServer",
      ]
    ),
    .executableTarget(name: "lectern", dependencies: ["Commands"], swiftSettings: strict),
    // A bare server and a cheap audience, to measure servers with.
    .target(name: "CLoad"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CLoad", "Fabric", "Gateway", "Motion", "Scene", "Server", "Staging", "Wire", "Rooms",
        "HeadlessReader", "Library", "Telemetry", "WebServer",
      ],
      swiftSettings: strict
    ),

    // Inputs for the tests of several targets: reference values, random values and matrices.
    .target(
      name: "TestVectors",
      dependencies: ["Motion"],
      path: "Tests/TestVectors",
      exclude: ["oracle.json"],
      swiftSettings: strict
    ),
    // A log whose lines can be read by tests.
    .target(
      name: "TestLogs",
      dependencies: ["Telemetry"],
      path: "Tests/Logs",
      swiftSettings: strict
    ),
    // Counts allocations in the program that contains the tests.
    .target(name: "CAllocations", path: "Tests/Allocations"),
    tests("Motion", ["TestVectors"]),
    tests("Staging", ["Motion", "Scene", "TestVectors"]),
    tests("Bytes", ["TestVectors"]),
    tests("Rates", ["TestVectors"]),
    tests(
      "Wire",
      ["Bytes", "Motion", "Notices", "Scene", "TestVectors"],
      exclude: ["Vectors", "wire.test.mjs"]
    ),
    // A cluster in one process, with simulated time and seeded failures.
    computing("TestCluster", ["Fabric", "TestVectors"], path: "Tests/Cluster"),
    tests("Fabric", ["Bytes", "Rates", "TestCluster", "TestVectors"]),
    tests("FabricNATS", ["Fabric", "TestVectors"]),
    tests("Gateway", ["Fabric", "Motion", "Notices", "Scene", "TestVectors", "Wire"]),
    tests(
      "Rooms",
      [
        "CAllocations", "Fabric", "Gateway", "Motion", "Notices", "Scene", "Staging", "Wire",
        "TestVectors",
      ]
    ),
    tests("Recording", ["Motion", "Scene", "Staging", "TestVectors"]),
    tests("PressProtocol", ["Bytes"]),
    tests("Telemetry", ["TestLogs"]),
    // Documents for the tests of several targets.
    .target(
      name: "TestDocuments",
      dependencies: ["CArchive"],
      path: "Tests/Documents",
      swiftSettings: strict
    ),
    // The escapes that a compromised press might try; tests run them inside the press's sandbox.
    .target(name: "CEscapes", path: "Tests/Escapes"),
    .executableTarget(
      name: "escape-press",
      dependencies: ["CEscapes", "Press"],
      path: "Tests/EscapePress",
      swiftSettings: strict
    ),
    tests(
      "Press",
      ["CEscapes", "PressProtocol", "TestDocuments", "escape-press", "lectern-press"]
    ),
    // Stores for the tests of several targets: a folder, and a server with an S3 API.
    .target(
      name: "TestStores",
      dependencies: ["SharedStore"],
      path: "Tests/Stores",
      exclude: ["s3_server.py"],
      swiftSettings: strict
    ),
    // Behaves like a press, or fails like one in the way that its document requests.
    .executableTarget(
      name: "stand-in-press",
      dependencies: ["PressProtocol"],
      path: "Tests/StandInPress",
      swiftSettings: strict
    ),
    tests(
      "Library",
      [
        "Bytes", "Motion", "Notices", "Press", "PressProtocol", "Pressroom", "Scene", "Telemetry",
        "TestDocuments",
        "TestLogs",
        "SharedStore", "TestStores", "TestVectors", "lectern-press", "stand-in-press",
      ]
    ),
    tests(
      "Pressroom",
      [
        "Library", "Notices", "PressProtocol", "Telemetry", "TestDocuments", "TestLogs",
        "TestVectors",
        "lectern-press", "stand-in-press",
      ]
    ),
    tests("SharedStore", ["TestStores"]),
    tests("HeadlessReader", ["Scene", "Wire"]),
    // Forbids system calls to the threads of tests.
    .target(name: "CForbid", path: "Tests/Forbid"),
    tests(
      "WebServer",
      ["CForbid", "CZlib", "HeadlessReader", "Telemetry", "TestLogs", "TestVectors"]
    ),
    tests(
      "Commands",
      [
        "Clustering", "Fabric", "Motion", "Notices", "Scene", "Server", "Staging", "Wire", "Rooms",
        "Recording",
        "HeadlessReader", "WebServer", "Library", "Telemetry", "TestLogs", "TestVectors", "lectern",
        "lectern-press",
      ],
      exclude: ["Golden"]
    ),

    // The parsers of bytes from outside, with what must hold for all bytes: tests give them those
    // of Tests/Fuzz/Corpus, and a program with libFuzzer looks for others.
    .target(
      name: "FuzzedParsers",
      dependencies: [
        "Fabric", "FabricNATS", "Library", "Press", "PressProtocol", "Recording", "Rooms",
        "Scene", "SharedStore", "WebServer", "Wire",
      ],
      path: "Tests/Fuzz/Parsers",
      swiftSettings: strict
    ),
    .target(name: "CFuzz", path: "Tests/Fuzz/Driver"),
    .executableTarget(
      name: "fuzz",
      dependencies: ["CFuzz", "FuzzedParsers"],
      path: "Tests/Fuzz/Program",
      swiftSettings: strict
    ),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzedParsers"], swiftSettings: tested),

    // Reads the repository itself, so it depends on no target.
    .testTarget(name: "TidyTests", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
