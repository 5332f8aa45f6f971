import * as fc from "fast-check";
import { expect, test } from "vitest";
import { spokenVersion } from "../../../src/rules/version/spoken.ts";
import { anyVersion } from "./given.ts";

test.each([
  ["a bare version", "15.4.6\n", "15.4.6"],
  ["a name and a version", "svc v15.4.6 git:v15.4.6-0-gabcdef go1.22.4\n", "15.4.6"],
  ["an edition between them", "Svc Enterprise v15.4.6-rc.1 git:abc\nlinux/amd64\n", "15.4.6-rc.1"],
  ["a comma before it", "node_exporter, version 1.5.0 (branch: debian/sid, revision: 1.5.0-1+b6)\n", "1.5.0"],
  ["parentheses around it", "agent (2.1.0)", "2.1.0"],
  ["a semicolon after it", "agent 2.1.0; built today", "2.1.0"],
])("hears the version in %s", (_, output, spoken) => {
  expect(spokenVersion(output)).toBe(spoken);
});

test.each([
  ["nothing", ""],
  ["no version", "svc: command failed\n"],
  ["two numbers", "version 15.4\n"],
  ["a version in a word", "git:15.4.6"],
])("hears none in %s", (_, output) => {
  expect(spokenVersion(output)).toBeUndefined();
});

test("does not listen for longer than four KiB, and never to half a word", () => {
  expect(spokenVersion(`${"x ".repeat(2100)}15.4.6`)).toBeUndefined();
  expect(spokenVersion(`${" ".repeat(4090)}15.4.61 and more`)).toBeUndefined();
  expect(spokenVersion(`${" ".repeat(4090)}15.4.6`)).toBe("15.4.6");
});

test("hears the first of several", () => {
  fc.assert(
    fc.property(anyVersion, anyVersion, (first, second) => {
      expect(spokenVersion(`agent ${first} of ${second}`)).toBe(first);
    }),
  );
});
