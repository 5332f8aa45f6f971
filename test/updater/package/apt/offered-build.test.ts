import { expect, test } from "vitest";
import { buildFrom } from "../../../../src/updater/package/apt/working-half.ts";
import { saved } from "../saved.ts";

test.each([
  [
    "an offered file behind what is installed",
    `Package: svc-ent\nStatus: install ok installed\nInstalled-Size: 9\n\nPackage: svc-ent\nFilename: ./x.deb\nSize: 7\n`,
    { sha256: undefined, bytes: 7 },
  ],
  ["nothing", "", { sha256: undefined, bytes: undefined }],
])("the build of %s", (_, control, build) => {
  expect(buildFrom(control)).toEqual(build);
});

test("the build of a package of Debian's, as apt-cache tells it", () => {
  expect(buildFrom(saved("control-sizes.txt")).bytes).toBe(1_490_652);
});
