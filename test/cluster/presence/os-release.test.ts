import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOperatingSystem } from "../../../src/cluster/presence/os-release.ts";
import { scratchOfTest } from "../../machine/files/scratch.ts";

const debian = 'PRETTY_NAME="Debian GNU/Linux 12"\nNAME="Debian"\nVERSION_ID="12"\nVERSION="12 (bookworm)"\nID=debian\n';

test.each([
  ["Debian 12", debian, { id: "debian", version_id: "12" }],
  [
    "quotes of either kind, and blanks at the end",
    "ID='opensuse-leap' \r\nVERSION_ID=\"15.6\"\r\n",
    { id: "opensuse-leap", version_id: "15.6" },
  ],
  ["no release number", "ID=arch\nID_LIKE=x\n", { id: "arch", version_id: "" }],
  ["a name that is assigned twice", "ID=one\nVERSION_ID=1\nID=two\n", { id: "two", version_id: "1" }],
  ["a release that is not one word", 'ID=debian\nVERSION_ID="1 2"\n', { id: "debian", version_id: "" }],
  ["what a shell would run", "ID=$(id)\nVERSION_ID=12\n", undefined],
  ["an escape sequence", "ID=\u001B[31mred\n", undefined],
  ["quotes that do not match", "ID=\"debian'\n", undefined],
  ["an id of 65 letters", `ID=${"x".repeat(65)}\n`, undefined],
  ["a comment", "#ID=debian\n", undefined],
  ["an empty file", "", undefined],
  ["more than 64 KiB", `${debian}#${"x".repeat(65_536)}`, undefined],
])("%s", (_what, text, found) => {
  const path = join(scratchOfTest(), "os-release");
  writeFileSync(path, text);
  expect(readOperatingSystem([path, join(path, "none")])).toEqual(found);
});

test("the distribution's file is read where the administrator's cannot be", () => {
  const folder = scratchOfTest();
  const [etc, usr] = [join(folder, "etc"), join(folder, "usr")] as const;
  expect(readOperatingSystem([etc, usr])).toBeUndefined();
  mkdirSync(etc);
  writeFileSync(usr, debian);
  expect(readOperatingSystem([etc, usr])).toEqual({ id: "debian", version_id: "12" });
});
