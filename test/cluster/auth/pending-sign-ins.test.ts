import { expect, test } from "vitest";
import { makePendingSignIns, type Pending } from "../../../src/cluster/auth/pending-sign-ins.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { ResourceName } from "../../../src/cluster/resource/name.ts";

const asked = {
  connector: { kind: "oidc", name: "idp" as ResourceName },
  client: "tsh",
  purpose: "session",
  key: "root",
  address: "",
} as const;
const fault = new Fault("sign-in-refused", { message: "refused", hint: "begin again" });

test("one network keeps nobody else out, although its sign-ins are refused", () => {
  const pending = makePendingSignIns();
  const begin = (from: string): Pending | undefined => pending.begin({ ...asked, from, now: 0 });
  for (let count = 0; count < 10_000; count += 1) {
    const one = begin("one network");
    if (one !== undefined) one.at = { kind: "refused", fault };
  }
  expect(begin("another")).toBeDefined();
  // The last to be refused are still told.
  const last = begin("one network");
  expect(pending.find(last?.id ?? "", 0)).toBe(last);
});

test("sign-ins that are under way are not dropped for new ones", () => {
  const pending = makePendingSignIns();
  const begun = Array.from({ length: 256 }, () => pending.begin({ ...asked, from: "one network", now: 0 }));
  expect(pending.begin({ ...asked, from: "one network", now: 0 })).toBeUndefined();
  for (const one of begun) expect(pending.find(one?.id ?? "", 0)).toBe(one);
});
