import { expect, test } from "vitest";
import { packageIn } from "../../../../src/updater/package/apt/bring.ts";

const ours = { name: "svc-ent", version: "5:15.4.6-1", architecture: "amd64" };

test.each([
  [
    "as every tool writes it",
    "Package: svc-ent\nVersion: 5:15.4.6-1\nArchitecture: amd64\nDescription: an agent\n Package: evil\n",
    ours,
  ],
  ["in other letters, with other blanks", "package:svc-ent\nVERSION:\t5:15.4.6-1 \nArchitecture: amd64\n", ours],
  ["with two names", "Package: svc-ent\nPackage: evil\nVersion: 5:15.4.6-1\nArchitecture: amd64\n", undefined],
  ["with two versions", "Package: svc-ent\nVersion: 5:15.4.6-1\nversion: 1\nArchitecture: amd64\n", undefined],
  ["without an architecture", "Package: svc-ent\nVersion: 5:15.4.6-1\n", undefined],
  ["that is empty", "", undefined],
])("a control file %s is read as dpkg would, or not at all", (_, control, read) => {
  expect(packageIn(control)).toEqual(read);
});
