internal import Foundation

// Prints the figures that need no browser: what is asked, what this machine gives.
//
// Fails only when something cannot be measured at all.
do {
  print("| figure | asked | measured |")
  print("| --- | --- | --- |")
  FrameCost.report()
  FrameBytes.report()
  try ServerFigures.report()
} catch {
  FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
  exit(1)
}
