import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { codeCaches, engineFlags } from "../../packaging/code-cache.ts";

const flags = engineFlags("svc");
const text = "({ one() { const words = { a: 1, b: 2 }; return () => words; }, two: (text) => /x+/.exec(text) })";

function cacheMadeIn(prefix: string): { readonly folder: string; readonly cache: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "part.txt"), text);
  const [cache] = codeCaches([join(folder, "part.txt")], [process.execPath, ...flags]);
  return { folder, cache: cache! };
}

test("a code cache is the same wherever it is made, and V8 takes it", () => {
  const { folder, cache } = cacheMadeIn("one-");
  expect(cacheMadeIn("another-with-a-longer-name-").cache.equals(cache)).toBe(true);
  writeFileSync(join(folder, "made"), cache);
  const take = `const { readFileSync } = require("node:fs"), { Script } = require("node:vm");
    const [text, cachedData] = [readFileSync("part.txt", "latin1"), readFileSync("made")];
    process.stdout.write(String(new Script(text, { filename: "part", cachedData }).cachedDataRejected));`;
  expect(spawnSync(process.execPath, [...flags, "-e", take], { cwd: folder, encoding: "utf8" }).stdout).toBe("false");
});
