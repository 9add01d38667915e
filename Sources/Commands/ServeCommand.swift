enum ServeCommand {
  static func run(_ words: [String]) throws(CommandError) { throw .failed("soon") }
}
