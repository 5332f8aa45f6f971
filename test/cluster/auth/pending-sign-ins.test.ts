import { onTestFinished, expect, test } from "vitest";
import { makePendingSignIns, type Pending, type PendingSignIns } from "../../../src/cluster/auth/pending-sign-ins.ts";
import type { ResourceName } from "../../../src/cluster/resource/name.ts";
import { openSqliteStore } from "../../../src/cluster/storage/sqlite.ts";
import { scratchStore } from "../storage/scratch-store.ts";

const asked = {
  connector: { kind: "oidc", name: "idp" as ResourceName },
  client: "tsh",
  purpose: "session",
  key: "root",
  address: "",
} as const;
const fault = { code: "sign-in-refused", message: "refused", hint: "begin again" } as const;

async function pendingAlone(): Promise<PendingSignIns> {
  const store = await openSqliteStore({ path: scratchStore(), release: "15.4.5" });
  onTestFinished(() => store.close());
  return makePendingSignIns(store);
}

test("one network keeps nobody else out, although its sign-ins are refused", async () => {
  const pending = await pendingAlone();
  const begin = (from: string): Promise<Pending | undefined> => pending.begin({ ...asked, from, now: 0 });
  for (let count = 0; count < 600; count += 1) {
    const one = await begin("one network");
    await pending.move(one!, { at: { kind: "refused", fault } });
  }
  expect(await begin("another")).toBeDefined();
  // The last to be refused are still told.
  const last = await begin("one network");
  expect(await pending.find(last!.id, 0)).toMatchObject({ id: last!.id });
});

test("sign-ins that are under way are not dropped for new ones, and go after ten minutes", async () => {
  const pending = await pendingAlone();
  const begun: Pending[] = [];
  for (let count = 0; count < 256; count += 1) begun.push((await pending.begin({ ...asked, from: "one network", now: 0 }))!);
  expect(await pending.begin({ ...asked, from: "one network", now: 0 })).toBeUndefined();
  for (const { id } of begun) expect(await pending.find(id, 0)).toMatchObject({ id });
  await pending.forgetOld(601);
  expect(await pending.find(begun[0]!.id, 0)).toBeUndefined();
  expect(await pending.begin({ ...asked, from: "one network", now: 601 })).toBeDefined();
});
