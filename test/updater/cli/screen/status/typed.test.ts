import { describe, expect, test } from "vitest";
import { asTyped } from "../../../../../src/updater/cli/screen/status/with-root.ts";

describe("a command in a sentence", () => {
  test.each([
    ["svc-upgrade run --now", "/", "sudo svc-upgrade run --now"],
    [
      "the cluster serves another version, or svc-upgrade retry",
      "/",
      "the cluster serves another version, or sudo svc-upgrade retry",
    ],
    ["sudo svc-upgrade enroll --endpoint https://p.example", "/", "sudo svc-upgrade enroll --endpoint https://p.example"],
    ["see what holds with: svc-upgrade config", "/", "see what holds with: svc-upgrade config"],
    ["sudo svc-upgrade status", "/", "sudo svc-upgrade status"],
    ["journalctl -u svc-upgrade and svc-upgrade.timer", "/", "journalctl -u svc-upgrade and svc-upgrade.timer"],
    ["svc-upgrade run --now", "/srv/image", "svc-upgrade run --root /srv/image --now"],
    [
      "svc-upgrade config, or `sudo svc-upgrade doctor`",
      "/srv/image",
      "svc-upgrade config --root /srv/image, or `sudo svc-upgrade doctor --root /srv/image`",
    ],
    ["`sudo svc-upgrade doctor --root /srv/image`", "/srv/image", "`sudo svc-upgrade doctor --root /srv/image`"],
    ["svc-upgrade status", "/srv/an image", "svc-upgrade status --root '/srv/an image'"],
    ["sudo svc-upgrade retry", "/srv/image", "svc-upgrade retry --root /srv/image"],
    ["journalctl -u svc-upgrade and others", "/srv/image", "journalctl -u svc-upgrade and others"],
  ])("%s, on the root %s, is typed as %s", (sentence, root, typed) => expect(asTyped(sentence, root)).toBe(typed));
});
