internal import Glibc
internal import PressProtocol

/// A process that opens one untrusted document and answers about it on a pipe.
public enum DocumentPress {
  /// Runs the press to its end, which comes with the end of the standard input.
  ///
  /// The document lies open at descriptor 3; without one the press takes single images.
  /// - Parameter arguments: Limits that differ from the standard (`PressLimits.arguments`).
  public static func run(_ arguments: [String]) -> Never {
    var limits = PressLimits()
    for argument in arguments where !limits.take(argument) {
      complain("\(argument) is no limit of a press; give --NAME=NUMBER, or nothing")
      exit(2)
    }
    let (session, pipe) = begin(limits)
    session.serve(pipe)
    exit(0)
  }

  /// Locks this process in exactly as a press is before its first request, for tests to try what
  /// is possible then.
  /// - Returns: Whether that worked. What is printed goes to the standard error from now on.
  package static func confine() -> Bool { begin(PressLimits()).session.confinement == nil }

  private static func begin(_ limits: PressLimits) -> (session: Session, pipe: ReplyPipe) {
    guard let pipe = ReplyPipe() else {
      complain("there is no descriptor left for the replies")
      exit(1)
    }
    heedSignals()
    // No file may grow here; that must not end the press when its errors go to a file.
    signal(SIGXFSZ, SIG_IGN)
    // Names in archives are converted by the locale's rules.
    setlocale(LC_ALL, "C.UTF-8")
    let document: Int32? = fcntl(3, F_GETFD) < 0 ? nil : 3
    let source = Source(descriptor: document)
    Preparation.run(for: source.kind)
    let confinement = Confinement.enter(
      limits,
      for: source.kind,
      keeping: [0, 1, 2, pipe.descriptor] + (document.map { [$0] } ?? [])
    )
    return (Session(source: source, limits: limits, confinement: confinement), pipe)
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
}
