internal import SharedStore

/// Whether the store that several processes share can be written and read.
enum StoreCheck {
  static func finding(_ store: any BlobStore) -> Finding {
    let number = UInt64.random(in: 0...UInt64.max)
    guard let key = BlobKey("cluster/doctor-\(number).json") else {
      return Finding("store", .warning, "\(store.location) was not checked")
    }
    let value = Array(#"{"doctor":true}"#.utf8)
    do throws(BlobStoreError) {
      try store.put(value, at: key)
      let found = try store.get(key, limit: 1024)
      try store.delete(key)
      guard found == value else {
        return Finding(
          "store",
          .problem,
          "\(store.location) returned something else than was written; check what else uses it"
        )
      }
      let books = try store.list(.meta, after: nil).count
      let more = books == BlobListing.max ? " or more" : ""
      return Finding("store", .ok, "\(store.location) works and has \(books)\(more) books")
    } catch { return Finding("store", .problem, "\(error)") }
  }
}
