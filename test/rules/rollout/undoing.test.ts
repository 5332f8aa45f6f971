import { expect, test } from "vitest";
import type { UpdaterSaid } from "../../../src/rules/rollout/host-evidence.ts";
import { tellUndoing } from "../../../src/rules/rollout/tell.ts";
import { undoingOf } from "../../../src/rules/rollout/undoing.ts";
import { begun, from, hostOf, hostsOf, seen, specOf, target, updater } from "./given.ts";

const status = begun(specOf(), seen(hostsOf(3)));
const there = (count: number, says: Partial<UpdaterSaid>) =>
  hostsOf(count, { updater: { ...updater, installed: target, ...says } });
const all = [
  ...there(3, { downgrade: "allow" }),
  ...there(1, { downgrade: "refuse" }),
  ...there(1, { downgrade: "allow", held: true }),
  ...there(1, { downgrade: "allow", decision: { kind: "stay", why: "pinned" } }),
  ...there(1, { downgrade: "allow", rejected: [from] }),
  ...there(2, { downgrade: "" }),
  ...hostsOf(4),
  hostOf("without", { updater: undefined }),
];

test("hosts at the target go back, stay, or do not say", () => {
  expect(undoingOf(status, all)).toEqual({ back: 3, stay: 4, unsaid: 2 });
  expect(undoingOf({ ...status, from: { kind: "none" } }, all)).toEqual({ back: 0, stay: 9, unsaid: 0 });
});

test.each([
  [0, 0, 0, "no host has v15.4.6; hosts would be told v15.4.5 again"],
  [1, 0, 0, "1 host has v15.4.6: 1 goes back to v15.4.5"],
  [
    2,
    1,
    1,
    "4 hosts have v15.4.6: 2 go back to v15.4.5, 1 stays (downgrades refused, held or pinned), 1 does not say whether downgrades are allowed",
  ],
  [0, 2, 2, "4 hosts have v15.4.6: 2 stay (downgrades refused, held or pinned), 2 do not say whether downgrades are allowed"],
])("%d back, %d stay, %d do not say", (back, stay, unsaid, told) => {
  expect(tellUndoing(status, { back, stay, unsaid })).toBe(told);
});
