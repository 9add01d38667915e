// Fuzzes one parser with libFuzzer, whose options and folders follow its name:
//
//     LECTERN_FUZZED=client fuzz -max_total_time=60 FOUND Tests/Fuzz/Corpus/client
//
// To keep what a run has found, in as few and short files as reach the same code:
//
//     LECTERN_FUZZED=client fuzz -merge=1 Tests/Fuzz/Corpus/client FOUND
import CFuzz
import FuzzedParsers
import Glibc

/// The parser, which the environment names because libFuzzer starts the program again with its
/// own arguments.
private let name = getenv("LECTERN_FUZZED").map { String(cString: $0) } ?? ""
private let parser = FuzzedParser(rawValue: name)

guard parser != nil else {
  let names = FuzzedParser.allCases.map(\.rawValue).joined(separator: ", ")
  fatalError("\"\(name)\" is no parser; set LECTERN_FUZZED to one of \(names)")
}
let status = lectern_fuzz(CommandLine.argc, CommandLine.unsafeArgv) { start, count in
  do { try parser?.check(Array(UnsafeBufferPointer(start: start, count: count))) } catch {
    fatalError("\(error)")
  }
  return 0
}
guard status >= 0 else {
  fatalError("libFuzzer is not linked; build it with Scripts/build --fuzzers")
}
exit(status)
