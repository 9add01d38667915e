import Testing

@testable import Library

@Suite("The file systems of a folder")
struct MountsTests {
  private static let root = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
  private static let other = "23 22 8:2 / /mnt/other rw - ext4 /dev/sda2 rw\n"

  private func mounts(_ more: String...) -> Mounts {
    Mounts(Self.root + more.joined(), of: "/mnt/my books")
  }

  @Test("change when one is mounted over the folder, over a parent of it, or inside it")
  func changes() {
    let before = mounts()
    #expect(before == mounts(Self.other) && !before.isRemote)
    for point in ["/mnt/my\\040books", "/mnt", "/mnt/my\\040books/a/b"] {
      let after = mounts("24 22 8:3 / \(point) rw - ext4 /dev/sdb rw\n")
      #expect(after != before && !after.isRemote, "\(point)")
    }
  }

  @Test("are remote if other machines can change the folder, or one inside it")
  func remote() {
    for type in ["nfs4", "cifs", "fuse.sshfs", "9p"] {
      let line = "24 22 0:9 / /mnt/my\\040books rw,relatime shared:2 master:1 - \(type) host:/ rw\n"
      #expect(mounts(line).isRemote, "\(type)")
      #expect(mounts(line.replacing("books", with: "books/a")).isRemote, "\(type) inside")
      #expect(!mounts(line.replacing("books", with: "books2")).isRemote, "\(type) beside")
    }
    // A disk over a remote one hides it.
    let parent = "24 22 0:9 / /mnt rw - nfs host:/ rw\n"
    #expect(!mounts(parent, "25 24 8:3 / /mnt/my\\040books rw - ext4 /dev/sdb rw\n").isRemote)
  }

  @Test("are none where the list is empty or cannot be read")
  func unreadable() {
    for list in ["", "1 2 3\n", "a b c d e f -\n", "a b c d / f - \n"] {
      #expect(!Mounts(list, of: "/a").isRemote)
    }
    #expect(Mounts(of: "/nowhere at all") == Mounts(of: "/nowhere at all"))
  }

  @Test("have the type of the one that the folder is on, which tells whether a database fits there")
  func database() {
    #expect(mounts().type == "ext4" && mounts().isFitForDatabase)
    for (type, fits) in [("nfs4", false), ("cifs", false), ("fuse.sshfs", false), ("xfs", true)] {
      let inside = mounts("24 22 0:9 / /mnt/my\\040books/a rw - \(type) host:/ rw\n")
      #expect(inside.type == "ext4" && inside.isFitForDatabase)
      let own = mounts("24 22 0:9 / /mnt/my\\040books rw - \(type) host:/ rw\n")
      #expect(own.type == type && own.isFitForDatabase == fits)
      let fault = DataFolder.diskFault(of: "/nowhere/yet") { _ in own }
      #expect(fault == nil ? fits : !fits && fault?.contains("/nowhere/yet is on a") == true)
    }
    #expect(Mounts("", of: "/a").type == nil && Mounts("", of: "/a").isFitForDatabase)
  }
}

@Suite("Polling of a folder")
struct FolderPollingTests {
  private let disk = Mounts("1 0 8:1 / / rw - ext4 /dev/sda1 rw", of: "/books")
  private let share = Mounts("1 0 0:9 / / rw - nfs4 host:/ rw", of: "/books")

  private func polling(every seconds: Double? = nil) -> FolderPolling {
    FolderPolling(scanSeconds: seconds, settleSeconds: 0.5, at: 100)
  }

  @Test("a share is scanned every 30 seconds, and a disk only after another one was mounted")
  func usual() {
    var polling = polling()
    polling.note(disk, empty: [])
    #expect(polling.secondsLeft(at: 100) == 30)
    let times = [130.0, 160].map { polling.isScanDue(on: disk, at: $0) }
    let another = polling.isScanDue(on: share, at: 161)
    #expect(times == [false, false] && another)
    polling.note(share, empty: [])
    #expect(polling.secondsLeft(at: 161) == 29)
    let shared = [189.0, 190, 219, 220].map { polling.isScanDue(on: share, at: $0) }
    #expect(shared == [false, true, false, true])
  }

  @Test("any folder is scanned as often as asked for, and mounts are still noticed in 30 seconds")
  func asked() {
    var polling = polling(every: 3600)
    polling.note(disk, empty: [])
    #expect(polling.secondsLeft(at: 100) == 30 && polling.interval == 3600)
    let times = [130.0, 3700, 3730, 7300].map { polling.isScanDue(on: disk, at: $0) }
    let mounted = polling.isScanDue(on: share, at: 7301)
    #expect(times == [false, true, false, true] && mounted)
    #expect(self.polling(every: 2).secondsLeft(at: 100.5) == 1.5)
  }

  @Test("a file on a share must be unchanged for longer than on a watched disk")
  func settling() {
    var first = polling()
    #expect(first.settleSeconds(on: share, isWatched: true) == 0)
    first.note(share, empty: [])
    #expect(first.settleSeconds(on: share, isWatched: true) == FileWrites.patience)
    #expect(first.settleSeconds(on: disk, isWatched: false) == FileWrites.patience)
    #expect(first.settleSeconds(on: disk, isWatched: true) == 0.5)
    var often = polling(every: 2)
    often.note(share, empty: [])
    #expect(often.settleSeconds(on: share, isWatched: true) == 1)
  }

  @Test("an empty folder is doubted until it has books, unless the same disk showed some there")
  func doubts() {
    var polling = polling()
    #expect(polling.isFirst)
    polling.note(disk, empty: ["/books/a"])
    #expect(polling.doubted == ["/books/a"] && !polling.isFirst)
    // A later scan is not more certain about it, but about others.
    polling.note(disk, empty: ["/books/a", "/books/b"])
    #expect(polling.doubted == ["/books/a"])
    polling.note(disk, empty: [])
    polling.note(disk, empty: ["/books/a"])
    #expect(polling.doubted == [])
    polling.note(share, empty: ["/books/a"])
    polling.note(share, empty: ["/books/a", "/books/c"])
    #expect(polling.doubted == ["/books/a", "/books/c"])
    // A link leads to a folder of another disk, which is not among those that are compared.
    polling.note(disk, empty: [])
    polling.note(disk, empty: ["/books/a", "/books/linked"]) { $0 != "/books/linked" }
    #expect(polling.doubted == ["/books/linked"])
  }
}
