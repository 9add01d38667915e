import CEscapes
import Glibc
import Press

// A compromised press: it confines itself like the real one and then makes one attempt, or all that
// do not end it.
//
// Arguments: the attempt, or `every-attempt`, and a folder of the server. The last lines of the
// standard error are the results: the attempt, and `succeeded` or the number of the error.

/// Actions that must stay possible; each returns 0 if it succeeds.
let actions: [String: () -> Int32] = [
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
let asked = CommandLine.arguments[1]
let attempts = (0..<escape_count()).map { (index: $0, name: String(cString: escape_name($0))) }

func report(_ name: String, _ result: Int32) {
  let line = Array("\(name) \(result == 0 ? "succeeded" : "\(result)")\n".utf8)
  _ = write(2, line, line.count)
}

if let action = actions[asked] {
  report(asked, action())
} else {
  let made = attempts.filter { attempt in
    asked == "every-attempt" ? !attempt.name.hasPrefix("killed-for-") : attempt.name == asked
  }
  guard !made.isEmpty else { exit(3) }
  for attempt in made {
    report(attempt.name, escape_try(attempt.index, server, CommandLine.arguments[2]))
  }
}
