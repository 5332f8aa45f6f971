import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { copyToCaPlace, isClosedToUnit, openToAll, toOpenToUnit } from "../../../src/machine/network/ca-place.ts";
import { scratchFolder } from "../files/scratch.ts";

const folder = scratchFolder();
/** A process that is still in root's group would be judged by that group's rights. */
const becomeNobody = "process.setgroups([]); process.setgid(65534); process.setuid(65534);";
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("SKIPPED: the tests of closed directories: only root can become another user");

describe("a file that its reader may not read", () => {
  const module = JSON.stringify(new URL("../../../src/machine/network/ca-place.ts", import.meta.url).href);
  async function asNobody(path: string): Promise<string> {
    const script = `import { openToAll, toOpenToUnit } from ${module}; ${becomeNobody} console.log(openToAll(${JSON.stringify(path)}));`;
    return (await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env: {} })).stdout.trim();
  }

  test.skipIf(!isRoot)("is opened together with the first closed directory above it, and then it is readable", async () => {
    chmodSync(folder, 0o755);
    mkdirSync(`${folder}/open/closed/deep`, { recursive: true });
    const path = `${folder}/open/closed/deep/ca.pem`;
    writeFileSync(path, "PEM", { mode: 0o600 });
    chmodSync(`${folder}/open/closed`, 0o700);
    const command = await asNobody(path);
    expect(command).toBe(`sudo chmod o+x ${folder}/open/closed && sudo chmod 0644 ${path}`);
    await promisify(execFile)("sh", ["-c", command.replaceAll("sudo ", "")]);
    expect(await asNobody(path)).toBe(`sudo chmod 0644 ${path}`);
    const read = promisify(execFile)(process.execPath, [
      "-e",
      `${becomeNobody} console.log(require("node:fs").readFileSync(${JSON.stringify(path)}, "utf8"))`,
    ]);
    expect((await read).stdout).toBe("PEM\n");
  });

  test.each([
    ["/etc/ssl/ca.pem", "/etc/ssl/ca.pem"],
    ["/etc/our ca.pem", "'/etc/our ca.pem'"],
    ["/etc/it's; rm -rf .pem", "'/etc/it'\\''s; rm -rf .pem'"],
  ])("is named so that a shell takes it for one word: %s", (path, word) => {
    expect(openToAll(path)).toBe(`sudo chmod 0644 ${word}`);
    expect(copyToCaPlace(path)).toMatch(`sudo install -m 0644 ${word} /etc/svc-upgrade/ca.pem && echo 'ca_file: `);
  });
});

describe("a file that root reads", () => {
  test("is opened to the asking unit by what its modes lack, and by nothing where they lack nothing", () => {
    // Not below /tmp, which is closed to that unit whatever the modes.
    const open = mkdtempSync("/dev/shm/svc-upgrade-ca-");
    onTestFinished(() => rmSync(open, { recursive: true }));
    chmodSync(open, 0o755);
    const path = `${open}/ca.pem`;
    writeFileSync(path, "PEM");
    chmodSync(path, 0o640);
    expect(toOpenToUnit(path)).toBe(`sudo chmod 0644 ${path}`);
    chmodSync(path, 0o644);
    expect(toOpenToUnit(path)).toBeUndefined();
    chmodSync(open, 0o750);
    expect(toOpenToUnit(path)).toBe(`sudo chmod o+x ${open} && sudo chmod 0644 ${path}`);
    chmodSync(open, 0o755);
    symlinkSync(path, `${folder}/link`);
    expect(toOpenToUnit(`${folder}/link`)).toBe(copyToCaPlace(`${folder}/link`));
    expect(toOpenToUnit(`${open}/none`)).toBeUndefined();
  });
});

test.each([
  ["/root/ca.pem", true],
  ["/home/ann/ca.pem", true],
  ["/homely/ca.pem", false],
  ["/tmp/ca.pem", true],
  ["/var/tmp/ca.pem", true],
  ["/etc/ca.pem", false],
])("whether %s is closed to the unit's sandbox: %s", (path, isClosed) => {
  expect(isClosedToUnit(path)).toBe(isClosed);
});
