import { describe, expect, test } from "vitest";
import { offersOf, parsePolicy, sourceFilesOf } from "../../../../src/updater/package/apt/policy.ts";
import { saved } from "../saved.ts";
import { askPolicy } from "../../../../src/updater/package/apt/ask-policy.ts";
import { answering, failing } from "./answers.ts";
import { agent, faultOf } from "./given.ts";

describe("what apt-cache policy says", () => {
  const pinned = parsePolicy(saved("policy-pinned.txt"));

  test("is read with its priorities, and the installed version without its local row", () => {
    expect(pinned.candidate).toBe("5:15.4.8-1");
    expect(pinned.known.map(({ version, priority }) => `${version} ${priority}`)).toEqual([
      "5:15.4.8-1 500",
      "16.0.0 -1",
      "15.4.10 500",
      "15.4.9 500",
      "15.4.7~rc.1-1 500",
      "15.4.6-1 990",
      "15.4.5 500",
    ]);
    expect(new Set(pinned.known.flatMap(({ lists }) => lists))).toEqual(new Set(["file:/scratch/repo ./ Packages"]));
  });

  test("puts apt's own pick first, then by priority, then the higher one; what is forbidden is no offer", () => {
    expect(offersOf(pinned)).toEqual(["5:15.4.8-1", "15.4.6-1", "15.4.10", "15.4.9", "15.4.7~rc.1-1", "15.4.5"]);
  });

  test("offers nothing that is merely installed", () => {
    const installed = `svc-ent:
  Installed: 15.4.5
  Candidate: 15.4.5
  Version table:
 *** 15.4.5 100
        100 /var/lib/dpkg/status
`;
    expect(parsePolicy(installed).known).toEqual([{ version: "15.4.5", priority: 100, lists: [] }]);
    expect(offersOf(parsePolicy(installed))).toEqual([]);
  });

  test("is asked of apt; what it cannot say is told", async () => {
    const calls = answering([[/^apt-cache policy svc-ent$/, saved("policy-pinned.txt")]]);
    expect(await askPolicy(calls, agent)).toEqual(pinned);
    const failed = faultOf(askPolicy(answering([[/^apt-cache/, failing("E: The package cache file is corrupted\n")]]), agent));
    expect((await failed).message).toBe("apt-get policy svc-ent failed: E: The package cache file is corrupted");
  });

  test.each([
    ["-1", []],
    ["0", ["15.4.6"]],
    ["1", ["15.4.6"]],
  ])("takes the priority %s as %j: only below zero it means never", (priority, offers) => {
    const output = `svc-ent:\n  Version table:\n     15.4.6 ${priority}\n        500 http://one.example ./ Packages\n`;
    expect(offersOf(parsePolicy(output))).toEqual(offers);
  });

  test("takes nothing from rows that name no version", () => {
    expect(parsePolicy("     nonsense 500\n        500 http://one.example ./ Packages\n").known).toEqual([]);
  });

  test("names a version once, though two repositories offer it", () => {
    const twice = `svc-ent:
  Installed: (none)
  Candidate: 15.4.6
  Version table:
     15.4.6 500 (phased 20%)
        500 http://one.example/debian stable/main amd64 Packages
     15.4.6 500
        500 http://two.example/debian stable/main amd64 Packages
`;
    expect(offersOf(parsePolicy(twice))).toEqual(["15.4.6"]);
  });

  test.each(["", "N: Unable to locate package svc-ent\n", saved("indextargets.txt")])("finds no offer in %j", (output) => {
    expect(offersOf(parsePolicy(output))).toEqual([]);
  });

  test("names the source files behind the offers, each once", () => {
    const indexes = `${saved("indextargets.txt")}/etc/apt/sources.list.d/other.sources:3\thttp://other.example/ ./ Packages\n`;
    expect(sourceFilesOf(pinned, `${indexes}${indexes}`)).toEqual(["/scratch/root/etc/apt/sources.list.d/ours.list"]);
    expect(sourceFilesOf(parsePolicy(""), indexes)).toEqual([]);
  });
});
