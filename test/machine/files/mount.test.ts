import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { mountIn, mountOf, parseMounts } from "../../../src/machine/files/mount.ts";
import { inChroot } from "./scratch.ts";

describe("the table of mounts", () => {
  const plain = { isReadOnly: false, servedBy: undefined };
  const fuse = { ...plain, id: 41, device: "0:58", point: "/home/a" };

  test.each([
    [
      "36 35 98:0 / / rw,noatime master:1 - ext4 /dev/root rw,errors=continue",
      { ...plain, id: 36, device: "98:0", point: "/", type: "ext4" },
    ],
    [
      "37 36 0:31 /var /var rw shared:2 unbindable - btrfs /dev/sda rw,subvol=/var",
      { ...plain, id: 37, device: "0:31", point: "/var", type: "btrfs" },
    ],
    [
      "38 36 8:2 / /usr ro,relatime - ext4 /dev/sdb rw",
      { ...plain, id: 38, device: "8:2", point: "/usr", type: "ext4", isReadOnly: true },
    ],
    [
      "39 36 8:3 / /opt rw - ext4 /dev/sdc ro,errors=remount-ro",
      { ...plain, id: 39, device: "8:3", point: "/opt", type: "ext4", isReadOnly: true },
    ],
    [
      "40 36 8:4 / /with\\040blank rw - ext4 /dev/sdd rw",
      { ...plain, id: 40, device: "8:4", point: "/with blank", type: "ext4" },
    ],
    ["41 36 0:58 / /home/a rw - fuse - rw,user_id=1000,group_id=1000,allow_other", { ...fuse, type: "fuse", servedBy: 1000 }],
    ["41 36 0:58 / /home/a rw - fuse.sshfs  rw,user_id=0,group_id=0", { ...fuse, type: "fuse.sshfs", servedBy: 0 }],
    ["41 36 0:58 / /home/a rw - fuseblk /dev/sdb1 rw,user_id=7,group_id=7", { ...fuse, type: "fuseblk", servedBy: 7 }],
    ["41 36 0:58 / /home/a rw - fusectl fusectl rw", { ...fuse, type: "fusectl" }],
    ["41 36 0:58 / /home/a rw - nfs4 server:/export rw,vers=4.2", { ...fuse, type: "nfs4" }],
    ["41 36 0:58 / /home/a rw - 9p share rw,trans=virtio", { ...fuse, type: "9p" }],
  ])("is read line by line: %s", (line, mount) => {
    expect(parseMounts(`${line}\n`)).toEqual([mount]);
  });

  test.each([
    "",
    "41 36 0:58 / /home/a rw",
    "41 36 0:58 / /home/a rw fuse - rw,user_id=0",
    "x 36 0:58 / /home/a rw - ext4 /dev/sdb rw",
    "41 36 0:58 / /home/a - ext4 /dev/sdb rw",
    "41 36 0:58 / /home/a rw - ext4 /dev/sdb",
    "41 36 0:58 / /home/a rw - ext4 /dev/sdb rw and more",
    // Whose it is must be plain.
    "41 36 0:58 / /home/a rw - fuse silent rw,group_id=0",
    "41 36 0:58 / /home/a rw - fuse silent rw,user_id=0,user_id=1000",
    "41 36 0:58 / /home/a rw - fuse silent rw,user_id=",
  ])("has no mount in a line that it is not sure of: %s", (line) => {
    expect(parseMounts(`${line}\n`)).toEqual([]);
  });

  test.each([
    [41, "/one"],
    [141, "/two"],
    [14, "/three"],
    [36, undefined],
    [4, undefined],
  ])("has the mount %d by the beginning of its line, which is all of its id", (id, point) => {
    const lines = ["41 36 8:1 / /one", "141 41 8:2 / /two", "14 41 8:3 / /three"].map(
      (line) => `${line} rw - ext4 /dev/sda rw\n`,
    );
    expect(mountIn(lines.join(""), id)?.point).toBe(point);
    expect(mountIn(lines.toReversed().join(""), id)?.point).toBe(point);
    expect(mountIn("", id)).toBeUndefined();
  });

  // In a chroot the kernel's table has no line for what lies at its root.
  test.skipIf(inChroot())("says on which mount a path of this machine lies, and nothing of one that is not there", () => {
    const proc = mountOf("/proc/self/status");
    expect(proc?.point).toMatch(/^\/proc/);
    const root = mountOf("/etc/passwd");
    expect(root).toBeDefined();
    expect(proc?.device).not.toBe(root?.device);
    expect(statSync(root?.point ?? "").isDirectory()).toBe(true);
    expect(mountOf("/proc/nowhere/at/all")).toBeUndefined();
  });
});
