/// The size of the type in which text that flows is laid out.
package enum TypeSize: UInt8, CaseIterable, Sendable {
  /// That of most printed books.
  case standard
  /// That of large print: half as large again, on a page that looks as large.
  case large

  /// The size of a page of flowing text, in points.
  ///
  /// The pages of large print are smaller, with the same type. A screen shows them as large as
  /// others, so everything on them is larger, whatever units a book uses.
  package var page: (width: Double, height: Double) {
    switch self {
    case .standard: (432, 648)
    case .large: (288, 432)
    }
  }
}
