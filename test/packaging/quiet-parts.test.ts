import { resolve } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../packaging/bundle.ts";
import { quietParts } from "../../packaging/parts.ts";
import { projectRoot } from "../../packaging/project.ts";

/** Bytes are counted in steps: a sentence more is no matter, a library is. */
const step = 8 * 1024;

/** Each process of a tick reads its parts as a whole: what is added here costs every host at every tick. */
test("the quiet path has no more kilobytes than this", async () => {
  const quiet = quietParts["svc-upgrade"];
  const { parts } = await bundle(resolve(projectRoot, "src/svc-upgrade.ts"), quiet);
  const kilobytes = quiet.map(({ name }) => {
    const { text = "" } = parts.find((part) => part.name === name) ?? {};
    return [name, (Math.ceil(text.length / step) * step) / 1024];
  });
  expect(Object.fromEntries(kilobytes)).toEqual({ ask: 104, look: 176, pass: 56, calendar: 8, rpm: 24 });
});

/** For good in the memory of every host. */
test("what a host of the cluster reads holds no service and no library of one", async () => {
  const { parts } = await bundle(resolve(projectRoot, "src/svc.ts"), quietParts.svc);
  const host = parts.find(({ name }) => name === "host");
  expect(host?.sources).toContain("src/cluster/presence/reporting.ts");
  expect(host?.sources.filter((source) => /^src\/cluster\/(?:auth|tsh)\/|^node_modules\//.test(source))).toEqual([]);
});
