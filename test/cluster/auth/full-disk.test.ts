import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, status, type Answered, type Host } from "./hosts.ts";
import { mayMount, startAuthProcess } from "./process.ts";

if (!mayMount) console.warn("SKIPPED: auth on a full disk: that takes root, who may mount");

const megabytes = 8;

function report({ trusting }: Host, counter: number): Promise<Answered> {
  // Long enough not to fit where a moment ago a shorter one did.
  const services = Array.from({ length: 16 }, () => "x".repeat(128));
  const news = { counter: String(counter), hostname: `web${counter}` };
  return call(trusting, "InventoryService/Report", { bootId: "boot-1", ...news, services });
}

/** To its last byte. */
function fill(path: string): void {
  const file = openSync(path, "w");
  for (const bytes of [1024 * 1024, 4096, 1]) {
    const zeros = Buffer.alloc(bytes);
    for (;;) {
      try {
        writeSync(file, zeros);
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: "ENOSPC" });
        break;
      }
    }
  }
  closeSync(file);
}

test.skipIf(!mayMount)("a report that finds the disk full is refused in words, and taken once there is room", async () => {
  await using auth = await startAuthProcess({ megabytes });
  const host = await auth.join("node");
  expect(await report(host, 1)).toMatchObject({ status: 200 });
  const filler = join(auth.directory, "filler");
  fill(filler);
  // The log of the store grows with each, until it has no room left.
  let refused: Answered | undefined;
  let taken = 1;
  while (refused === undefined) {
    const answer = await report(host, taken + 1);
    if (answer.status === 200) taken += 1;
    else refused = answer;
  }
  expect(refused).toMatchObject({
    status: 503,
    body: { code: "unavailable", details: [{ debug: { code: "store-full", hint: expect.stringContaining("df") } }] },
  });
  expect(await call(host.trusting, status, {})).toMatchObject({ status: 200 });
  const readiness = async (): Promise<unknown> => (await fetch(`http://127.0.0.1:${auth.diagnosticsPort}/readyz`)).json();
  expect(await readiness()).toMatchObject({ ready: false, why: expect.stringContaining("there is no room left") });
  rmSync(filler);
  expect(await report(host, taken + 1)).toMatchObject({ status: 200 });
  expect(await readiness()).toMatchObject({ ready: true });
  expect(auth.log()).not.toContain("please report this");
});
