import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundle, type Bundle } from "../../packaging/bundle.ts";
import { loader } from "../../packaging/loader.ts";

const place = mkdtempSync(join(tmpdir(), "svc-upgrade-bundle-"));
afterAll(() => rmSync(place, { recursive: true }));

test("what lies behind import() is in another part, and unread until it is asked for, the runtime's own modules too", async () => {
  write(
    "lazy.ts",
    'import { constants, type Http2Session } from "node:http2";\nconsole.log("read");\nexport const kind: string = typeof constants;\nexport type Session = Http2Session;\n',
  );
  write(
    "entry.ts",
    'console.log("begun");\nif (process.argv[2] === "ask") void import("./lazy.ts").then(({ kind }) => console.log(kind));\n',
  );
  const made = await bundle(join(place, "entry.ts"), [{ name: "quiet", from: [join(place, "entry.ts")] }]);
  expect(run(made)).toBe("takes quiet\nbegun\n");
  expect(run(made, "ask")).toBe("takes quiet\nbegun\ntakes rest\nloads node:http2\nread\nobject\n");
});

test("each quiet part has what those before it have not, and a large package is a part of its own", async () => {
  write("shared.ts", 'console.log("shared");\nexport const shared = 1;\n');
  write(
    "second.ts",
    'import { shared } from "./shared.ts";\nconsole.log("second", shared);\nvoid import("yaml").then(() => {});\n',
  );
  write("first.ts", 'import { shared } from "./shared.ts";\nconsole.log("first", shared);\nvoid import("./second.ts");\n');
  const quiet = ["first", "second"].map((name) => ({ name, from: [join(place, `${name}.ts`)] }));
  const made = await bundle(join(place, "first.ts"), quiet);
  expect(made.parts.map(({ name }) => name)).toEqual(["first", "second", "yaml"]);
  expect(run(made)).toMatch(/^takes first\nshared\nfirst 1\ntakes second\nsecond 1\ntakes yaml\n/);
});

test("what a part has of another is a value, and no function that gives it", async () => {
  write(
    "values.ts",
    'export const word = "read";\nexport const lower = (): string => word.toLowerCase();\nexport const rare = 1;\n',
  );
  write("asks.ts", 'import { lower, word } from "./values.ts";\nconsole.log(word, lower());\nvoid import("./later.ts");\n');
  write("later.ts", 'import { lower, rare } from "./values.ts";\nconsole.log(lower(), rare);\n');
  const made = await bundle(join(place, "asks.ts"), [
    { name: "values", from: [join(place, "values.ts")] },
    { name: "asks", from: [join(place, "asks.ts")] },
  ]);
  expect(run(made)).toBe("takes asks\ntakes values\nread read\ntakes rest\nread 1\n");
  expect(made.parts.filter(({ text }) => text.includes("get: function")).map(({ name }) => name)).toEqual([]);
});

test("a module of the runtime whose functions a file imports is loaded by the first call of one", async () => {
  write(
    "calls.ts",
    'import { createHash as hash } from "node:crypto";\nconsole.log("begun");\nconst one = hash("md5").digest("hex");\nconsole.log(one.length, hash("md5").digest("hex") === one);\n',
  );
  expect(run(await bundle(join(place, "calls.ts"), []))).toBe("takes rest\nbegun\nloads node:crypto\n32 true\n");
});

test("a function of the runtime whose promise gives several results gives them in a bundle too", async () => {
  write(
    "promised.ts",
    'import { generateKeyPair } from "node:crypto";\nimport { promisify } from "node:util";\nvoid promisify(generateKeyPair)("ed25519").then((made) => console.log(Object.keys(made)));\n',
  );
  expect(run(await bundle(join(place, "promised.ts"), []))).toContain("[ 'publicKey', 'privateKey' ]");
});

test("every character is ASCII and means what it meant", async () => {
  write("signs.ts", 'console.log("… 🙂".length, /^[–-—]$/u.test("—"), `→`);\n');
  const made = await bundle(join(place, "signs.ts"), []);
  // oxlint-disable-next-line no-control-regex
  expect(made.parts.map(({ text }) => text).join("")).toMatch(/^[\x00-\x7f]*$/);
  expect(run(made)).toBe("takes rest\n4 true →\n");
});

test("the release and the build date are in it", async () => {
  write(
    "release.ts",
    "declare const SVC_UPGRADE_VERSION: string;\ndeclare const SVC_UPGRADE_BUILT_AT: number;\nconsole.log(SVC_UPGRADE_VERSION, SVC_UPGRADE_BUILT_AT);\n",
  );
  process.env["SOURCE_DATE_EPOCH"] = "1760000000";
  const made = await bundle(join(place, "release.ts"), []).finally(() => delete process.env["SOURCE_DATE_EPOCH"]);
  expect(run(made)).toMatch(/\n\d+\.\d+\.\d+\S* 1760000000\n$/);
});

function write(name: string, text: string): void {
  writeFileSync(join(place, name), text);
}

/** As in an executable, but for where the parts are taken from; what is taken and loaded is printed. */
function run({ parts, entry }: Bundle, ...argv: readonly string[]): string {
  const texts = Object.fromEntries(parts.map(({ name, text }) => [name, text]));
  const watched = `{ const load = require; require = (name) => {
      const getRawAsset = (part) => (console.log("takes", part), new TextEncoder().encode(${JSON.stringify(texts)}[part]).buffer);
      if (name === "node:sea") return { getRawAsset };
      if (name !== "node:vm") console.log("loads", name);
      return load(name);
    }; }
    ${loader(parts, entry, [])}`;
  write("bundle.cjs", watched);
  const { stdout, stderr } = spawnSync(process.execPath, [join(place, "bundle.cjs"), ...argv], { encoding: "utf8" });
  return stdout + stderr;
}
