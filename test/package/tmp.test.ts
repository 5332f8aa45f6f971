import { test } from "vitest";
import { yumManager } from "../../src/package/yum.ts";
import { zypperManager } from "../../src/package/zypper.ts";
import { transactDirectly } from "../../src/package/direct.ts";
import { agent, change } from "./apt/given.ts";
test("x", async () => {
  const root = "/tmp/nowhere-x";
  const run = async () => ({ kind: "not-started", reason: "other", message: "no memory" }) as const;
  const files = [{ name: agent, version: "15.4.6-1", path: "/kept/x" }] as any;
  const planned = [{ name: agent, version: "15.4.6-1", architecture: "noarch" }];
  const steps: any = {
    inspect: (m: any) => m.inspect(agent), inspectAll: (m: any) => m.inspectAll([agent]), refresh: (m: any) => m.refresh(agent), offers: (m: any) => m.offers(agent), buildOf: (m: any) => m.buildOf(agent, "15.4.6-1"),
    simulate: (m: any) => m.simulate(change("15.4.6-1")), bring: (m: any) => m.bring(change("15.4.6-1"), planned), fetch: (m: any) => m.fetch({ name: agent, version: "15.4.6-1", is: "offered" }, `${root}/kept`),
    install: (m: any) => m.install(change("15.4.6-1"), planned), installFiles: (m: any) => m.installFiles(change("15.4.6-1"), files), objectionToBack: (m: any) => m.objectionToBack({ after: files, before: files }),
    holdAgain: (m: any) => m.holdAgain(agent), mend: (m: any) => m.mend([agent]),
  };
  for (const [n, mk] of [["yum", yumManager], ["zypper", zypperManager]] as any) for (const s of Object.keys(steps)) {
    const m = mk({ run, transact: transactDirectly(run), root, proxies: {} });
    const out = await Promise.resolve().then(() => steps[s](m)).then((v: any) => `value ${JSON.stringify(v)}`, (e: any) => `${e.code}: ${e.message}`);
    console.log(n, s, out);
  }
});
