/// A value that is bound to a statement or read from a row.
enum SQLValue: Equatable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByNilLiteral
{
  case null
  case integer(Int)
  case real(Double)
  case text(String)
  case blob([UInt8])

  init(stringLiteral value: String) { self = .text(value) }
  init(integerLiteral value: Int) { self = .integer(value) }
  init(nilLiteral: ()) { self = .null }

  init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
  init(_ number: Int?) { self = number.map(SQLValue.integer) ?? .null }
  init(_ number: Double?) { self = number.map(SQLValue.real) ?? .null }
  init(_ bytes: [UInt8]?) { self = bytes.map(SQLValue.blob) ?? .null }
  init(_ flag: Bool?) { self = flag.map { .integer($0 ? 1 : 0) } ?? .null }
}
