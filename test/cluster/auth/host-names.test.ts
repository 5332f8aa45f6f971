import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { HostNames } from "../../../src/cluster/auth/host-names.ts";

function hosts({ tookMs }: { readonly tookMs: number }) {
  const names = new HostNames();
  const called = new Map([["1", "Web1"]]);
  let reads = 0;
  async function* all() {
    reads += 1;
    await sleep(tookMs);
    for (const [id, hostname] of called)
      yield { id, row: { hostname, labels: { public_addr: `www${id}.example` }, removed: undefined }, report: undefined };
  }
  return { called, reads: () => reads, find: (...wanted: string[]) => names.find(wanted, all) };
}

test("the names of a small cluster are those of now", async () => {
  const { called, find } = hosts({ tookMs: 0 });
  expect(await find("web1", "www1.example", "web2")).toEqual(["1"]);
  called.set("2", "web2");
  expect(await find("web1", "web2")).toEqual(["1", "2"]);
});

test("the names of a large cluster are read once for many calls, and again after a while", async () => {
  const { called, reads, find } = hosts({ tookMs: 80 });
  await Promise.all([find("web1"), find("web2")]);
  expect([await find("web1"), reads()]).toEqual([["1"], 1]);
  called.set("2", "web2");
  await sleep(1500);
  expect([await find("web2"), reads()]).toEqual([["2"], 2]);
});
