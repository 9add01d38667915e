internal import Foundation
internal import Server
internal import SharedStore
internal import WebServer

/// `lectern health`: says whether the server of this machine answers, for containers and monitors.
enum HealthCommand {
  static let definition = Command(
    "health",
    "[options]",
    summary: "say whether the server on this machine works, for containers",
    text: """
      Asks the server that runs with the same options on this machine. The exit code is 0 if it
      serves the library, and 1 if it does not answer within ten seconds or cannot read its
      catalogue. With --admin-listen the server says itself whether it is ready.
      """,
    groups: [
      OptionGroup([
        ServeCommand.port, ServeCommand.listen, ServeCommand.adminListen, .configuration, .help,
      ])
    ]
  ) { words throws(CommandError) in try run(words) }

  /// Returns the address to ask.
  static func address(
    _ words: [String],
    environment: [String: String]
  ) throws(CommandError) -> String {
    var arguments = try Arguments(words, of: definition, environment: environment)
    let port = try arguments.integer("--port", default: 8080, in: 1...65_535)
    let listen = try arguments.value("--listen") ?? "127.0.0.1"
    let endpoint = try ServeCommand.adminEndpoint(&arguments)
    try arguments.finish()
    guard let endpoint else { return "http://\(host(listen)):\(port)/api/address" }
    return "http://\(host(endpoint.address)):\(endpoint.port)/readyz"
  }

  /// Returns a host by which this machine reaches a server that listens on an address.
  private static func host(_ listen: String) -> String {
    switch listen {
    case "0.0.0.0": "127.0.0.1"
    case "::": "[::1]"
    default: listen.contains(":") ? "[\(listen)]" : listen
    }
  }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    let address = try address(words, environment: ProcessInfo.processInfo.environment)
    let status: Int
    do throws(HTTPProbe.Failure) { status = try HTTPProbe.get(address).status } catch {
      throw .failed("the server does not work: \(address): \(error.reason)")
    }
    guard status == 200 else {
      throw .failed("the server does not work: \(address): status \(status)")
    }
    try Console.write("the server works\n")
  }
}
