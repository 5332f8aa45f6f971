import { DatabaseSync } from "node:sqlite";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isWhole } from "../../../whole.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeWay } from "../../../../src/updater/package/rpm/make-way.ts";
import { mend } from "../../../../src/updater/package/rpm/mend.ts";
import { agent, change, cut, installFile, missingTools, rpmHost, timeout, type RpmHost } from "./on-host.ts";

const missing = missingTools();

let host: RpmHost;
beforeEach(async () => void (missing === undefined && (host = await rpmHost())));
afterEach(async () => void (missing === undefined && (await host.remove())));

const loud = { preun: 'print("preun ran")', postun: 'print("postun ran")' };

/** Cut in that script, while the host has no file "power". */
const cutIn = (script: string | undefined): Readonly<Record<string, string>> =>
  script === undefined ? {} : { [script]: `if not io.open("/power") then ${cut} end` };

/** An agent that was on its way from one version to another when the power went. */
async function cutOff(from: string, to: string): Promise<void> {
  await host.rpm("-U", await host.build({ version: from, scripts: loud }));
  await host.rpm("-U", "--oldpackage", await host.build({ version: to, scripts: { post: cut, ...loud } }));
  expect(await host.versions()).toEqual([`${from}-1`, `${to}-1`]);
}

describe.skipIf(missing !== undefined)("what a cut-off transaction has left", { timeout }, () => {
  test.each([
    { title: "the one before", from: "15.4.5", to: "15.4.6", next: "15.4.5-1" },
    { title: "the lower one, written last", from: "15.4.6", to: "15.4.5", next: "15.4.5-1" },
  ])("is struck out on the way to $title, but for what was written last, and no script runs", async ({ from, to, next }) => {
    await cutOff(from, to);
    await makeWay(host.calls, { name: agent, version: next });
    expect([await host.versions(), await host.content()]).toEqual([[`${to}-1`], `${to}\n`]);
    expect(await host.rpm("-V", agent)).toBe("");
    expect(host.acted).toEqual([`-e --allmatches --noscripts --nodeps svc-ent-${from}-1.noarch`]);
  });

  test("stays on the way on to what was written last, and where there is but one or none", async () => {
    await makeWay(host.calls, { name: agent, version: "15.4.6-1" });
    await cutOff("15.4.5", "15.4.6");
    await makeWay(host.calls, { name: agent, version: "15.4.6-1" });
    expect(await host.versions()).toEqual(["15.4.5-1", "15.4.6-1"]);
    await host.rpm("-e", "--noscripts", "svc-ent-15.4.5-1");
    await makeWay(host.calls, { name: agent, version: "15.4.5-1" });
    expect(host.acted).toEqual([]);
  });

  test("goes although somebody depends on it", async () => {
    await host.rpm("-U", await host.build({ version: "15.4.5" }));
    await host.rpm("-U", await host.build({ name: "companion", version: "1", tags: "Requires: svc-ent = 15.4.5" }));
    await host.rpm("-U", "--nodeps", await host.build({ version: "15.4.6", scripts: { post: cut } }));
    await makeWay(host.calls, { name: agent, version: "15.4.5-1" });
    expect(await host.versions()).toEqual(["15.4.6-1"]);
  });

  test("stays where it is the very same version twice, and where only the epoch differs", async () => {
    await cutOff("15.4.5", "15.4.6");
    await host.rpm("-U", "--replacepkgs", await host.build({ version: "15.4.6", scripts: { post: cut } }));
    await makeWay(host.calls, { name: agent, version: "15.4.5-1" });
    expect(await host.versions()).toEqual(["15.4.6-1", "15.4.6-1"]);
    await host.rpm("-U", await host.build({ version: "15.4.6", epoch: 5, scripts: { post: cut } }));
    await makeWay(host.calls, { name: agent, version: "15.4.5-1" });
    expect(await host.versions()).toContain("5:15.4.6-1");
  });

  const cuts: readonly { readonly title: string; readonly next?: string; readonly old?: string }[] = [
    { title: "after the files, in the new one", next: "post" },
    { title: "before its files go, in the old one", old: "preun" },
    { title: "before all, in the new one", next: "pretrans" },
    { title: "before the files, in the new one", next: "pre" },
    { title: "after its files are gone, in the old one", old: "postun" },
    { title: "at the very end, in the new one", next: "posttrans" },
  ];
  test.each(cuts.slice(0, isWhole ? undefined : 2))(
    "by a cut $title, is a host that can go either way",
    async ({ next, old }) => {
      const files = {
        "15.4.5": await host.build({ version: "15.4.5", scripts: cutIn(old) }),
        "15.4.6": await host.build({ version: "15.4.6", scripts: cutIn(next) }),
      };
      const whole = { "15.4.5": await host.build({ version: "15.4.5" }), "15.4.6": await host.build({ version: "15.4.6" }) };
      for (const to of ["15.4.5", "15.4.6"] as const) {
        await host.rpm("-e", "--allmatches", "--noscripts", agent);
        await rm(join(host.root, "power"), { force: true });
        await host.rpm("-U", files["15.4.5"]);
        expect(await host.rpm("-U", files["15.4.6"])).toBe("killed");
        await writeFile(join(host.root, "power"), "");
        await mend(host.calls, [agent]);
        await installFile(host.calls, change(`${to}-1`), whole[to]);
        expect([await host.versions(), await host.content(), await host.rpm("-V", agent)]).toEqual([[`${to}-1`], `${to}\n`, ""]);
      }
    },
  );

  test("is no database that cannot be read: its indexes are made again", async () => {
    await host.rpm("-U", await host.build({ version: "15.4.5" }));
    const before = await host.rpm("-qa");
    const opened = new DatabaseSync(join(host.root, "var/lib/rpm/rpmdb.sqlite"));
    opened.exec("DROP TABLE Name");
    opened.close();
    await mend(host.calls, [agent]);
    expect([host.acted, await host.rpm("-qa")]).toEqual([["--rebuilddb"], before]);
  });
});
