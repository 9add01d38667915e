/// The names of new rooms, such as "amber-heron-48217", which cannot be mistaken for a six-letter
/// code.
enum FreshName {
  private static let first = """
    amber ashen autumn azure birch brass brisk bronze calm cedar chalk clover coral crimson \
    dapple dusky early ember fern flax frosty gentle golden hazel ivory jade lilac linen \
    lunar maple mellow misty mossy narrow ochre olive pearl quiet russet sandy scarlet \
    silver slate still sunny velvet willow winter
    """.split(separator: " ")
  private static let second = """
    acorn anchor apple badger beacon bell bramble bridge canal candle castle comet crane \
    falcon feather ferry fiddle garden harbor heron island kettle lantern lark ledger magpie \
    marten meadow mill mirror orchard otter oyster parade pebble pigeon plover raven river \
    robin sail sparrow spindle thimble tower tulip violin walnut
    """.split(separator: " ")

  /// The number of possible names.
  static var count: Int { first.count * second.count * numbers.count }

  /// Combined with the words, these give more than 190 million names, as many as there are codes of
  /// six letters.
  private static let numbers = 10_000...99_999

  /// Returns a random name.
  static func fresh() -> String {
    let words = (first[Int.random(in: first.indices)], second[Int.random(in: second.indices)])
    return "\(words.0)-\(words.1)-\(Int.random(in: numbers))"
  }
}
