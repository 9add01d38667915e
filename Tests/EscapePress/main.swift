import CEscapes
import Glibc
import Press

// A compromised press: it confines itself like the real one and then makes one attempt.
//
// Arguments: the attempt, and a folder of the server. The last line of the standard error is the
// result: `succeeded`, or the number of the error.

/// Actions that must stay possible; each returns 0 if it succeeds.
let deeds: [String: () -> Int32] = [
  "use-24-threads": { escape_use_threads(24) == 24 ? 0 : EAGAIN },
  "use-no-thread": { escape_use_threads(1) == 0 ? 0 : EEXIST },
  "use-threads-again-and-again": {
    (0..<100).allSatisfy { _ in escape_use_threads(7) == 7 } ? 0 : EAGAIN
  },
  "list-fonts": {
    guard let folder = opendir("/usr/share/fonts") else { return errno }
    closedir(folder)
    return 0
  },
  "stat-fonts": {
    var facts = stat()
    return stat("/usr/share/fonts", &facts) == 0 ? 0 : errno
  },
  "stat-descriptor": {
    var facts = stat()
    return fstat(0, &facts) == 0 ? 0 : errno
  },
  "spare-descriptor": { fcntl(17, F_GETFD) < 0 ? errno : 0 },
]

// A confined process cannot query this later.
let server = getppid()
guard CommandLine.arguments.count == 3, DocumentPress.confine() else { exit(2) }
let name = CommandLine.arguments[1]
let index = (0..<escape_count()).first { String(cString: escape_name($0)) == name }
let attempt = index.map { escape_try($0, server, CommandLine.arguments[2]) }
guard let result = deeds[name]?() ?? attempt else { exit(3) }
let line = Array((result == 0 ? "succeeded\n" : "\(result)\n").utf8)
_ = write(2, line, line.count)
