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
}
