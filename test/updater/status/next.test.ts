import { describe, expect, test } from "vitest";
import { nextOf, type Next } from "../../../src/updater/status/next.ts";
import { faultOf, given, now, present, remembering } from "../plan/given.ts";
import { seenOf, type Host } from "./given.ts";

const unread = { schedule: { kind: "invalid", line: 0, text: "", why: "the file may not be read by this user" } } as const;
const denied = { schedule: { ...seenOf().schedule, access: "denied" } } as const;
const unasked = { kind: "unasked", facts: given().facts, asked: undefined } as const;
const ill = { agent: "unhealthy", ...remembering({ unhealthyPasses: 2 }) } as const;

/** The reasons of the decisions themselves are told in the answers' test. */
describe("what a pass would do now", () => {
  test.each<[title: string, host: Host, next: Partial<Next>]>([
    [
      "ends in what ends every pass",
      { seen: { basis: { kind: "fault", fault: faultOf("proxy-invalid") } } },
      { kind: "stop", fault: faultOf("proxy-invalid") },
    ],
    [
      "is not known where the state may not be read",
      { seen: { state: { kind: "denied" } } },
      { kind: "unknown", why: "state-denied" },
    ],
    [
      "is not known where the state is unreadable",
      { seen: { state: { kind: "unreadable", why: "it is empty" } } },
      { kind: "unknown", why: "state-unreadable" },
    ],
    ["is not known where the channel was never asked", { seen: { basis: unasked } }, { kind: "unknown", why: "never-asked" }],
    [
      "is known where a version is pinned, though the channel was never asked",
      {
        seen: { basis: { ...unasked, facts: given({ answer: { kind: "not-asked" } }).facts } },
        settings: { pin: { version: "15.4.5" } },
      },
      { kind: "stay", why: "pinned", told: "pinned to 15.4.5; what the channel serves is not known yet" },
    ],
    [
      "ends in the missing package, whatever was asked",
      { seen: { basis: { ...unasked, facts: given({ installed: { kind: "absent" }, answer: { kind: "not-asked" } }).facts } } },
      { kind: "stop", fault: expect.objectContaining({ code: "package-absent" }) as never },
    ],
    [
      "is not known where the schedule decides and may not be read",
      { facts: unread, seen: denied },
      { kind: "unknown", why: "schedule-denied" },
    ],
    [
      "is not known where such a schedule speaks against a rescue",
      { facts: { ...unread, ...ill }, seen: denied },
      { kind: "unknown", why: "schedule-denied" },
    ],
    [
      "is known where something else decides before the schedule",
      { facts: { ...unread, installed: present({ isHeld: true }) }, seen: denied },
      { kind: "stay", why: "package-held" },
    ],
    [
      "is known where the window of the settings beats the schedule",
      { facts: { ...unread, now }, settings: { window: { utc_start_hour: 2 } }, seen: denied },
      { kind: "move", why: "window" },
    ],
  ])("%s", (_title, host, next) => expect(nextOf(seenOf(host))).toMatchObject(next));
});
