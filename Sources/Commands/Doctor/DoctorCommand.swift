internal import Foundation
internal import Server
internal import SharedStore

/// `lectern doctor`: says what would keep a server with the same options from working.
enum DoctorCommand {
  static let definition = Command(
    "doctor",
    "[options]",
    summary: "say what would keep a server from working, and how to fix it",
    text: """
      Checks everything that `lectern serve` with the same options needs, and prints a line for each
      check: ok, warning or problem, the value, and what to do. The exit code is 1 if there is a
      problem. Starts nothing and changes nothing; a trial record in NATS and in the store is
      removed at once.

      It takes the options of `lectern serve`; see `lectern serve --help`. While a server runs with
      them, its port and its data folder are in use: give --port 0 and another --data to leave these
      checks out. The public address can be checked only while a server runs behind it.
      """,
    groups: []
  ) { words throws(CommandError) in try run(words) }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    let environment = ProcessInfo.processInfo.environment
    var hasProblem = false
    // A check can take seconds, so each finding is shown at once.
    var fault: CommandError?
    try examine(words, environment: environment) { finding in
      do throws(CommandError) {
        try Console.write(finding.line + "\n")
      } catch { fault = error }
      if finding.verdict == .problem { hasProblem = true }
    }
    if let fault { throw fault }
    if hasProblem { throw .reported }
  }

  /// Runs all checks and reports their results one by one.
  static func examine(
    _ words: [String],
    environment: [String: String],
    report: (Finding) -> Void
  ) throws(CommandError) {
    var cluster: ClusterOptions?
    let options = try ServeCommand.options(
      words,
      environment: environment,
      isStrict: false,
      cluster: &cluster
    )
    for finding in ProgramChecks(options).findings() { report(finding) }
    for finding in MachineChecks(options).findings() { report(finding) }
    if let url = options.network.publicURL.flatMap(PublicURL.init) {
      for finding in PublicURLCheck(url).findings() { report(finding) }
    }
    if let lack = ClusterOptions.lack(cluster, options.storage) {
      report(Finding("store", .problem, "none is named: \(lack)"))
    }
    if let store = options.storage.store {
      report(StoreCheck.finding(store.store(options.storage.storeCredentials)))
    }
    if let cluster { NATSChecks(cluster.nats).run(report) }
  }
}
