internal import Server

// The options of `lectern serve`, which `lectern doctor` takes as well.
extension ServeCommand {
  static let groups = [
    OptionGroup("Books", books), OptionGroup("Addresses", addresses),
    OptionGroup("Keys", keyOptions), OptionGroup("Limits", limits), OptionGroup("Log", log),
    OptionGroup("A cluster of several processes", cluster),
    OptionGroup("Other", [.configuration, .help]),
  ]

  private static let books = [
    Option(
      "--library",
      "DIR",
      "the folder of books, which is watched for changes: PDF, EPUB, DjVu, MOBI, FB2, text, CBZ,"
        + " CBR, CB7, CBT, and folders of images; a folder of books is a collection (the sample"
        + " library)",
      value: .folder
    ), .data("the folder for the catalogue, imported books, page images and bookmarks"),
    Option(
      "--scan-every",
      "SECONDS",
      "how often the folder of books is scanned for changes that the system does not report (30 on"
        + " a network share, never elsewhere)"
    ),
    Option(
      flag: "--delete-files",
      "permit readers to delete a book's file in the library's folder, too, 30 days later"
    ),
    Option(
      "--keep-rooms",
      "DAYS",
      "how long an unused room is kept (30)"
    ),
    Option(
      "--record",
      "FILE",
      "log all room input to FILE, for `lectern replay`; never replaces a file: the next recording"
        + " is FILE with a number",
      value: .file
    ),
    Option(
      "--web",
      "DIR",
      "the folder of the page's files (found beside the program)",
      value: .folder
    ),
  ]

  static let port = Option("--port", "N", "the port (8080); 0 for any free port")
  static let listen = Option(
    "--listen",
    "ADDR",
    "the address to listen on (127.0.0.1); 0.0.0.0 admits other machines"
  )
  static let adminListen = Option(
    "--admin-listen",
    "ADDR:PORT",
    "serve /healthz, /readyz and /metrics at this address only, without a key; PORT alone listens"
      + " on this machine (off)"
  )

  private static let addresses = [
    port, listen,
    Option(
      "--public-url",
      "URL",
      "the address under which others reach this server, such as that of a proxy; shared links"
        + " begin with it"
    ),
    Option(
      "--base-path",
      "PATH",
      "the path below which a proxy serves the library, such as /books; the proxy may remove it"
        + " from requests or not (that of --public-url)"
    ),
    Option(
      "--host",
      "NAME",
      "an additional host name that the server answers to; may be repeated",
      isRepeated: true
    ),
    Option(
      "--trust-proxy",
      "[LIST]",
      "the proxies whose X-Forwarded-For or Forwarded header tells who asks: addresses, networks"
        + " such as 172.16.0.0/12, loopback, private (those of home and container networks);"
        + " without a list, a proxy on this machine"
    ),
    Option(
      "--user-header",
      "NAME",
      "the header in which a trusted proxy names the user that has logged in to it, such as"
        + " Remote-User; the server gives that user the library's key, at /api/login only"
    ), adminListen,
  ]

  private static let keyOptions = [
    Option(
      "--library-key",
      "WORD",
      "the key required to see the library, \(LibraryAccess.keyMin) or more characters (one in the"
        + " data folder, required unless only this machine reaches the server)"
    ),
    Option(
      "--library-key-file",
      "FILE",
      "read the key from the first line of a file, so that it does not appear in the list of"
        + " processes",
      value: .file
    ), Option(flag: "--open-library", "show the library to everybody who reaches the server"),
    Option(
      "--admin-token",
      "WORD",
      "the token required to add and correct books (the library's key, or nothing while only this"
        + " machine reaches the server)"
    ),
    Option(
      "--admin-token-file",
      "FILE",
      "read the token from the first line of a file",
      value: .file
    ),
  ]

  private static let limits = [
    Option("--cache-size", "MIB", "the maximum size of the page images on the disk (2048)"),
    Option("--upload-limit", "MIB", "the maximum size of an uploaded file (1024)"),
    Option("--max-connections", "N", "the maximum number of open connections (2048)"),
    Option(
      "--max-per-address",
      "N",
      "the maximum number of open connections of one address, or one IPv6 /64 (512)"
    ),
    Option(
      "--backlog",
      "N",
      "the maximum number of connections that wait to be accepted (1024)"
    ),
    Option(
      "--threads",
      "N",
      "the number of service threads (one for each processor; 1 with --record)"
    ), Option(flag: "--no-io-uring", "do not use io_uring, which is used if the system permits it"),
  ]

  private static let log = [
    Option(
      "--log-format",
      "FORMAT",
      "the format of log lines on standard error: text or json (text)",
      value: .oneOf(["text", "json"])
    ),
    Option(
      "--log-level",
      "LEVEL",
      "the lowest level to log: debug, info, warning or error (info)",
      value: .oneOf(["debug", "info", "warning", "error"])
    ),
    Option(
      "--audit",
      "FILE",
      "also write the actions of hosts and rejected requests to FILE (audit.ndjson in the data"
        + " folder); - for the log only",
      value: .file
    ),
  ]

  private static let cluster = [
    Option(
      "--store",
      "PLACE",
      "the store of books, rooms and bookmarks that all processes share: a folder that all of them"
        + " reach, or a bucket as s3://BUCKET[/PREFIX][?endpoint=URL&region=NAME], whose"
        + " credentials are in $AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY (off)",
      value: .folder
    ),
    Option(
      "--nats",
      "URL[,URL...]",
      "join the processes that use these NATS servers, such as nats://10.0.0.1:4222: rooms are"
        + " shared, and continue when a process ends; needs --store (off)"
    ),
    Option(
      "--nats-credentials",
      "FILE",
      "the file with the JWT and the key of the NATS user",
      value: .file
    ), Option("--nats-user", "NAME", "the name of a NATS user; needs a password"),
    Option("--nats-password", "WORD", "the password of the NATS user"),
    Option(
      "--nats-password-file",
      "FILE",
      "read the password from the first line of a file",
      value: .file
    ),
    Option(
      "--nats-ca",
      "FILE",
      "encrypt with TLS: the certificates to trust; for tls:// addresses, they are those of the"
        + " system by default",
      value: .file
    ),
    Option("--nats-certificate", "FILE", "this process's own certificate", value: .file),
    Option("--nats-key", "FILE", "the key of that certificate", value: .file),
    Option(
      "--nats-prefix",
      "WORD",
      "the beginning of all subjects, for several clusters on the same servers (lectern.v1)"
    ),
    Option(
      "--nats-replicas",
      "N",
      "the number of NATS servers that store each record (3, or 1 without a cluster of servers)"
    ),
  ]
}
