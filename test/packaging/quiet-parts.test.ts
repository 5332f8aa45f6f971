import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../packaging/bundle.ts";
import { quietParts } from "../../packaging/parts.ts";
import { projectRoot } from "../../packaging/project.ts";

const golden = join(import.meta.dirname, "golden/quiet-parts.txt");
/** Bytes are told in steps: a sentence more is no matter, a library is. */
const step = 8 * 1024;

/**
 * Each process of a tick reads its parts as a whole. What is added here costs every host that at every tick, so it is added on purpose:
 * UPDATE_QUIET=1 writes the list again. What is behind `import()` is not in it.
 */
test("the quiet path is made of these files, and of no more bytes", async () => {
  const quiet = quietParts["svc-upgrade"];
  const { parts } = await bundle(resolve(projectRoot, "src/svc-upgrade.ts"), quiet);
  const told = parts
    .filter(({ name }) => quiet.some((part) => part.name === name))
    .map(({ name, text, sources }) => {
      const kilobytes = (Math.ceil(text.length / step) * step) / 1024;
      return `${name}: at most ${kilobytes} KiB\n${sources.join("\n")}\n`;
    })
    .join("\n");
  if (process.env["UPDATE_QUIET"] !== undefined) writeFileSync(golden, told);
  expect(told).toBe(readFileSync(golden, "utf8"));
});

/** For good in the memory of every host. */
test("what a host of the cluster reads holds no service and no library of one", async () => {
  const { parts } = await bundle(resolve(projectRoot, "src/svc.ts"), quietParts.svc);
  const host = parts.find(({ name }) => name === "host");
  expect(host?.sources).toContain("src/cluster/presence/reporting.ts");
  expect(host?.sources.filter((source) => /^src\/cluster\/(?:auth|tsh)\/|^node_modules\//.test(source))).toEqual([]);
});
