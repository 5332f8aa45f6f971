import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { examineNotify } from "../../../src/updater/doctor/notify.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
chmodSync(folder, 0o755);

function file(name: string, mode: number): string {
  const path = `${folder}/${name}`;
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return path;
}

const program = file("tell", 0o755);
const ofRoot = process.getuid?.() === 0;

describe("whether notifications can arrive", () => {
  test.each([
    ["by a bare name", ["sh"], [], /^ok \S+\/sh is told of events/],
    ["by what is not there", ["/nowhere/tell"], [], /^warning notify\.command names \/nowhere\/tell, which is not there/],
    [
      "by what others may not execute",
      [file("mine", 0o700)],
      [],
      /^warning \S+mine is not for every user to execute.*chmod a\+rx \S+mine$/,
    ],
    ["with a credential", [program], [file("token", 0o600)], ofRoot ? /^ok / : /^warning \S+ belongs to user/],
    ["with one that is not there", [program], ["/nowhere/token"], /^warning \/nowhere\/token, which .* is not there/],
  ])("%s", (_what, command, files, told) => {
    mkdirSync(`${folder}/directory`, { recursive: true });
    const credentials = files.map((path) => ({ name: "token", file: path }));
    const { verdict, told: said, fix = "" } = examineNotify({ command, credentials });
    expect(`${verdict} ${said} ${fix}`.trim()).toMatch(told);
  });

  test("says all that is wrong at once", () => {
    const { told } = examineNotify({ command: ["/nowhere/a"], credentials: [{ name: "token", file: "/nowhere/b" }] });
    expect(told).toMatch(/\/nowhere\/a.*; \/nowhere\/b/);
  });

  test("warns of a program that lies where its user does not come to", () => {
    const closed = `${folder}/closed`;
    mkdirSync(closed, { mode: 0o700 });
    writeFileSync(`${closed}/tell`, "");
    chmodSync(`${closed}/tell`, 0o755);
    expect(examineNotify({ command: [`${closed}/tell`], credentials: [] })).toMatchObject({
      verdict: "warning",
      told: expect.stringContaining(`lies in ${closed}`) as string,
    });
  });

  test.runIf(ofRoot).each([
    ["of another user's", (path: string) => chownSync(path, 12, 0), /belongs to user 12, and should be root's/],
    ["that is a directory", (path: string) => (rmSync(path), mkdirSync(path, 0o700)), /is no file that can be looked at/],
    ["that others may read", (path: string) => chmodSync(path, 0o644), /may be read by others \(mode 644\)/],
  ])("warns of a credential %s", (_what, change, told) => {
    const path = file(`loose-${String(told)}`.replaceAll(/\W/g, ""), 0o600);
    change(path);
    const found = examineNotify({ command: [program], credentials: [{ name: "token", file: path }] });
    expect(found.verdict).toBe("warning");
    expect(found.told).toMatch(told);
  });
});
