/// Why a server cannot start: a sentence that names what was wrong and what to do.
package struct StartError: Error, Equatable, CustomStringConvertible {
  package let description: String

  /// Creates an error with a sentence.
  package static func failed(_ sentence: String) -> StartError { StartError(description: sentence) }
}
