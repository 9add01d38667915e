internal import CLoad
internal import Foundation

// Prints the figures that need no browser: the targets and the measurements on this machine.
//
// It fails only if something cannot be measured at all. With "serving FILE" or "library FOLDER" it
// is the server that some figures measure; with "floods" it prints the figures of all floods, and
// with "floods KIND" those of one kind; with "idle" it prints what rooms and members at rest
// occupy, and what joins cost; with "paper" it prints the figures of a bent leaf.
do {
  if CommandLine.arguments.dropFirst().first == "serving", CommandLine.arguments.count == 3 {
    try FileServer.run(path: CommandLine.arguments[2])
    exit(0)
  }
  if CommandLine.arguments.dropFirst().first == "library", CommandLine.arguments.count == 3 {
    try FloodLibrary.serve(CommandLine.arguments[2])
    exit(0)
  }
  if CommandLine.arguments.dropFirst().first == "floor", CommandLine.arguments.count == 4 {
    let (size, hz) = (Int(CommandLine.arguments[2]) ?? 1, Double(CommandLine.arguments[3]) ?? 1)
    exit(load_floor(size, hz))
  }
  print("| figure | target | measured |")
  print("| --- | --- | --- |")
  if CommandLine.arguments.dropFirst().first == "floods" {
    try FloodFigures.report(only: CommandLine.arguments.dropFirst(2).first)
    exit(0)
  }
  if CommandLine.arguments.dropFirst().first == "fanout" {
    let counts = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
    try counts.isEmpty ? FanOutFigures.report() : FanOutFigures.report(members: counts)
    exit(0)
  }
  if CommandLine.arguments.dropFirst().first == "idle" {
    try IdleFigures.report()
    exit(0)
  }
  if CommandLine.arguments.dropFirst().first == "paper" {
    BentFrame.report()
    exit(0)
  }
  FrameCost.report()
  FrameBytes.report()
  OpeningCost.report()
  TelemetryCost.report()
  try ServerFigures.report()
  try ServingFigures.report()
} catch {
  FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
  exit(1)
}
