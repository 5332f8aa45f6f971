import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundle } from "../../packaging/bundle.ts";

const place = mkdtempSync(join(tmpdir(), "svc-upgrade-bundle-"));
afterAll(() => rmSync(place, { recursive: true }));

test("what lies behind import() is in the one file, and unread until it is asked for, the runtime's own modules too", async () => {
  write(
    "lazy.ts",
    'import { constants, type Http2Session } from "node:http2";\nconsole.log("read");\nexport const kind: string = typeof constants;\nexport type Session = Http2Session;\n',
  );
  write(
    "entry.ts",
    'console.log("begun");\nif (process.argv[2] === "ask") void import("./lazy.ts").then(({ kind }) => console.log(kind));\n',
  );
  const { code } = await bundle(join(place, "entry.ts"));
  const watched = `{ const load = require; require = (name) => { console.log("loads", name); return load(name); }; }\n${code}`;
  expect(run(watched)).toBe("begun\n");
  expect(run(watched, "ask")).toBe("begun\nloads node:http2\nread\nobject\n");
});

test("a module of the runtime whose functions a file imports is loaded by the first call of one", async () => {
  write(
    "calls.ts",
    'import { createHash as hash } from "node:crypto";\nconsole.log("begun");\nconst one = hash("md5").digest("hex");\nconsole.log(one.length, hash("md5").digest("hex") === one);\n',
  );
  const { code } = await bundle(join(place, "calls.ts"));
  const watched = `{ const load = require; require = (name) => { console.log("loads", name); return load(name); }; }\n${code}`;
  expect(run(watched)).toBe("begun\nloads node:crypto\n32 true\n");
});

test("every character is ASCII and means what it meant", async () => {
  write("signs.ts", 'console.log("… 🙂".length, /^[–-—]$/u.test("—"), `→`);\n');
  const { code } = await bundle(join(place, "signs.ts"));
  // oxlint-disable-next-line no-control-regex
  expect(code).toMatch(/^[\x00-\x7f]*$/);
  expect(run(code)).toBe("4 true →\n");
});

test("the release and the build date are in it", async () => {
  write(
    "release.ts",
    "declare const SVC_UPGRADE_VERSION: string;\ndeclare const SVC_UPGRADE_BUILT_AT: number;\nconsole.log(SVC_UPGRADE_VERSION, SVC_UPGRADE_BUILT_AT);\n",
  );
  process.env["SOURCE_DATE_EPOCH"] = "1760000000";
  const { code } = await bundle(join(place, "release.ts")).finally(() => delete process.env["SOURCE_DATE_EPOCH"]);
  expect(run(code)).toMatch(/^\d+\.\d+\.\d+\S* 1760000000\n$/);
});

function write(name: string, text: string): void {
  writeFileSync(join(place, name), text);
}

function run(code: string, ...argv: readonly string[]): string {
  write("bundle.cjs", code);
  const { stdout, stderr } = spawnSync(process.execPath, [join(place, "bundle.cjs"), ...argv], { encoding: "utf8" });
  return stdout + stderr;
}
