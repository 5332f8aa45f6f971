import { heedOthers } from "../../../src/cluster/auth/other-auths.ts";
import type { AuditEvent } from "../../../src/cluster/storage/port.ts";
import { expect, test } from "vitest";

test("the clock of another auth service that is half a minute ahead is told once", async () => {
  const told: unknown[] = [];
  const events: AuditEvent[] = [];
  const heed = await heedOthers(
    { events: () => Promise.resolve(events.slice(-1)) },
    {
      cut: () => undefined,
      lookNow: () => Promise.resolve(),
      now: () => 1000,
      log: (level, _sentence, fields) => void told.push([level, fields]),
    },
  );
  const counts: number[] = [];
  for (const at of [900, 1030, 1040, 1050]) {
    events.push({
      number: events.length + 1,
      at,
      event: "user.created",
      actor: "a",
      origin: "b",
      kind: "user",
      name: "c",
      detail: "",
      before: undefined,
      after: undefined,
    });
    await heed();
    counts.push(told.length);
  }
  expect([counts, told]).toEqual([[0, 0, 1, 1], [["warning", { seconds: 40 }]]]);
});
