import { expect, test } from "vitest";
import { packageIn } from "../../../../src/updater/package/apt/bring.ts";

test.each([
  ["with two names", "Package: svc-ent\nPackage: evil\nVersion: 5:15.4.6-1\nArchitecture: amd64\n", undefined],
  ["with two versions", "Package: svc-ent\nVersion: 5:15.4.6-1\nversion: 1\nArchitecture: amd64\n", undefined],
  ["without an architecture", "Package: svc-ent\nVersion: 5:15.4.6-1\n", undefined],
])("a control file %s is read as dpkg would, or not at all", (_, control, read) => {
  expect(packageIn(control)).toEqual(read);
});
