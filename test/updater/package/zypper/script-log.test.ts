import { expect, test } from "vitest";
import { scriptWords } from "../../../../src/updater/package/zypper/act.ts";
import { saved } from "../saved.ts";

test.each([
  ["none", []],
  ["post", ["svc-ent: the postinst fails", "warning: %post(svc-ent-15.6.0-1.x86_64) scriptlet failed, exit status 1"]],
  [
    "pre",
    [
      "svc-ent: the preinst fails",
      "error: %prein(svc-ent-15.7.0-1.x86_64) scriptlet failed, exit status 1",
      "error: svc-ent-15.7.0-1.x86_64: install failed",
      "error: svc-ent-15.6.0-1.x86_64: erase skipped",
    ],
  ],
])("zypper's history has of a transaction's scripts: %s", (name, words) => {
  expect(scriptWords(saved(`zypper/script-log-${name}.txt`))).toEqual(words);
});

test("the remarks end where the history goes on, with a remark without a word or without one", () => {
  expect(scriptWords("# rpm output:\n# one\n2026-11-21|install|svc-ent\n# two\n")).toEqual(["one"]);
  expect(scriptWords("# Additional rpm output:\n# one\n#\n# two\n2026")).toEqual(["one"]);
});

test("the remarks that end with the history are whole", () => {
  expect(scriptWords("# rpm output:\n# one\n# two")).toEqual(["one", "two"]);
});
