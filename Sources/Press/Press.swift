internal import CSandbox
internal import Glibc
internal import PressProtocol

/// A process that opens one untrusted document and answers about it on a pipe.
public enum Press {
  /// Runs the press to its end, which comes with the end of the standard input.
  ///
  /// The document lies open at descriptor 3; without one the press takes single images.
  /// - Parameter arguments: Limits that differ from the standard (`PressLimits.arguments`), or
  ///   `--prove`, which tries to break out and prints what became of it.
  public static func run(_ arguments: [String]) -> Never {
    var limits = PressLimits()
    var proves = false
    for argument in arguments {
      if argument == "--prove" {
        proves = true
      } else if !limits.take(argument) {
        complain("\(argument) is no limit of a press; give --NAME=NUMBER, or nothing")
        exit(2)
      }
    }
    guard let pipe = ReplyPipe() else {
      complain("there is no descriptor left for the replies")
      exit(1)
    }
    heedSignals()
    // No file may grow here; that must not end the press when its errors go to a file.
    signal(SIGXFSZ, SIG_IGN)
    // Names in archives are converted by the locale's rules.
    setlocale(LC_ALL, "C.UTF-8")
    let source = Source(descriptor: fcntl(3, F_GETFD) < 0 ? nil : 3)
    Preparation.run(for: source.kind)
    let confinement = Confinement.enter(limits, for: source.kind)
    if proves { prove(confinement, pipe) }
    let session = Session(source: source, limits: limits, confinement: confinement)
    session.serve(pipe)
    exit(0)
  }

  /// Lets all signals through: the thread that started the press may have held some back, and the
  /// one at the limit of time must end it.
  private static func heedSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    signal(SIGXCPU, SIG_DFL)
  }

  /// Writes a line for the server's log.
  static func complain(_ line: String) {
    let bytes = Array("lectern-press: \(line)\n".utf8)
    _ = write(2, bytes, bytes.count)
  }

  /// Tries to do what no press may do and prints a line for each: `create-file refused 13`.
  private static func prove(_ confinement: PressFault?, _ pipe: ReplyPipe) -> Never {
    let names = [
      "open-file", "list-folder", "create-file", "change-file", "socket", "execute", "fork",
      "signal", "trace",
    ]
    for index in 0..<UInt32(LECTERN_ATTEMPTS.rawValue) {
      let refusal = lectern_try(lectern_attempt(rawValue: index))
      let line = names[Int(index)] + (refusal == 0 ? " SUCCEEDED\n" : " refused \(refusal)\n")
      _ = pipe.write(Array(line.utf8))
    }
    exit(confinement == nil ? 0 : 1)
  }
}
