/// The size of the type in which text that flows is laid out.
package enum TypeSize: UInt8, CaseIterable, Sendable {
  /// That of most printed books.
  case standard
  /// That of large print: half as large again, on a page that looks as large.
  case large
}
