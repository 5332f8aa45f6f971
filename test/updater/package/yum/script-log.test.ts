import { expect, test } from "vitest";
import { scriptWords } from "../../../../src/updater/package/yum/act.ts";
import { saved } from "../saved.ts";

test.each([
  ["none", []],
  ["post", ["svc-ent: the postinst fails", "warning: %post(svc-ent-15.6.0-1.x86_64) scriptlet failed, exit status 1"]],
  ["pre", ["svc-ent: the preinst fails", "error: %prein(svc-ent-15.7.0-1.x86_64) scriptlet failed, exit status 1"]],
])("dnf's log of rpm has of a transaction's scripts: %s", (name, words) => {
  expect(scriptWords(saved(`yum/script-log-${name}.txt`))).toEqual(words);
});

test("what stands before the first stamp is no script's word", () => {
  expect(scriptWords("the end of a line that was cut\n")).toEqual([]);
});
