import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { mountOf, parseMounts } from "../../src/host/mount.ts";
import { inChroot } from "./scratch.ts";

describe("the table of mounts", () => {
  test.each([
    ["36 35 98:0 / / rw,noatime master:1 - ext4 /dev/root rw,errors=continue", { device: "98:0", point: "/", isReadOnly: false }],
    ["37 36 0:31 /var /var rw shared:2 - btrfs /dev/sda rw,subvol=/var", { device: "0:31", point: "/var", isReadOnly: false }],
    ["38 36 8:2 / /usr ro,relatime - ext4 /dev/sdb rw", { device: "8:2", point: "/usr", isReadOnly: true }],
    ["39 36 8:3 / /opt rw - ext4 /dev/sdc ro,errors=remount-ro", { device: "8:3", point: "/opt", isReadOnly: true }],
    ["40 36 8:4 / /with\\040blank rw - ext4 /dev/sdd rw", { device: "8:4", point: "/with blank", isReadOnly: false }],
  ])("is read line by line: %s", (line, mount) => {
    expect(parseMounts(`${line}\n`)).toEqual([mount]);
  });

  // In a chroot the kernel's table has no line for what lies at its root.
  test.skipIf(inChroot())("says on which mount a path of this machine lies, and nothing of one that is not there", () => {
    const proc = mountOf("/proc/self/status");
    expect(proc?.point).toMatch(/^\/proc/);
    const root = mountOf("/etc/passwd");
    expect(root).toBeDefined();
    expect(proc?.device).not.toBe(root?.device);
    expect(statSync(root?.point ?? "").isDirectory()).toBe(true);
    expect(mountOf("/nowhere/at/all")).toBeUndefined();
  });
});
