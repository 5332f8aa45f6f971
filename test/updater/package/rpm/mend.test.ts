import { open } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mend } from "../../../../src/updater/package/rpm/mend.ts";
import { agent, cut, missingTools, rpmHost, timeout, type RpmHost } from "./on-host.ts";

const missing = missingTools();
if (missing !== undefined) console.warn(`SKIPPED: the tests with the real rpm: ${missing}`);

let host: RpmHost;
beforeEach(async () => {
  if (missing !== undefined) return;
  host = await rpmHost();
  await host.rpm("-U", await host.build({ version: "15.4.5" }));
});
afterEach(async () => void (missing === undefined && (await host.remove())));

const database = (): string => join(host.root, "var/lib/rpm/rpmdb.sqlite");

describe.skipIf(missing !== undefined)("rpm's database", { timeout }, () => {
  test("is left alone while it answers, also with two versions in it: the script that did not finish has never run", async () => {
    await mend(host.calls, [agent]);
    await host.rpm("-U", await host.build({ version: "15.4.6", scripts: { post: cut } }));
    await mend(host.calls, [agent]);
    expect(await host.versions()).toEqual(["15.4.5-1", "15.4.6-1"]);
    expect(host.acted).toEqual([]);
  });

  test("has its indexes made again where it cannot be read", async () => {
    const before = await host.rpm("-qa");
    const opened = new DatabaseSync(database());
    opened.exec("DROP TABLE Name");
    opened.close();
    await mend(host.calls, [agent]);
    expect(host.acted).toEqual(["--rebuilddb"]);
    expect(await host.rpm("-qa")).toBe(before);
    expect(await host.versions()).toEqual(["15.4.5-1"]);
  });

  test("stays as it is where that does not help, and says so", async () => {
    const file = await open(database(), "r+");
    await file.write(Buffer.alloc(4096), 0, 4096, 0);
    await file.close();
    await expect(mend(host.calls, [agent])).rejects.toMatchObject({
      code: "database-broken",
      message: expect.stringContaining("nor rebuild its indexes") as string,
    });
    expect(host.acted).toEqual(["--rebuilddb"]);
  });
});
