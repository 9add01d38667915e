/// The version of the program, which the newest entry of CHANGELOG.md names as well.
package enum Version {
  /// Major, minor and patch number (semantic versioning).
  package static let number = "0.1.0"
}
