import { describe, expect, test } from "vitest";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import type { State } from "../../../src/updater/record/state.ts";
import type { OverallState } from "../../../src/updater/status/overall.ts";
import { faultOf, now } from "../plan/given.ts";
import { passOf, unitsAt, viewGiven, type Host } from "./given.ts";

const off = { units: unitsAt(now, { timer: { isEnabled: false, isActive: false } }) };
const wrong = { basis: { kind: "fault", fault: faultOf("settings-invalid") } } as const;
const running = { running: { by: "unit" } } as const;

function endedIn(code: FaultCode, channel?: string): Partial<State> {
  const fault = faultOf(code);
  return { passes: [passOf({ channel, decision: { kind: "stop", fault }, outcome: { kind: "stopped", fault } }), passOf()] };
}

describe("the answer of a status is", () => {
  test.each<[title: string, host: Host, standing: Partial<OverallState>]>([
    ["what a pass would decide", {}, { kind: "next" }],
    [
      "a pass that runs, whatever else is",
      { state: endedIn("bug"), seen: { ...off, ...wrong, ...running } },
      { kind: "running" },
    ],
    ["what ends every pass, with the timer on or off", { seen: { ...off, ...wrong } }, { kind: "stopped" }],
    ["a timer that is off, before how the last pass ended", { state: endedIn("bug"), seen: off }, { kind: "off" }],
    [
      "no timer that nobody could ask about",
      { seen: { units: { kind: "units", agent: undefined, timer: undefined } } },
      { kind: "next" },
    ],
    [
      "not the timer where it only ends with this boot",
      { seen: { units: unitsAt(now, { timer: { isEnabled: false } }) } },
      { kind: "next" },
    ],
    ["a server that did not answer", { state: endedIn("tls-untrusted", "default") }, { kind: "failing", at: "answer" }],
    [
      "what a pass would do, where a version is pinned since a server did not answer",
      { state: endedIn("tls-untrusted", "default"), settings: { pin: { version: "15.4.5" } } },
      { kind: "next" },
    ],
    [
      "a pass that broke off, whatever is pinned",
      { state: endedIn("state-unwritable"), settings: { pin: { version: "15.4.5" } } },
      { kind: "failing", at: "elsewhere" },
    ],
    ["a pass that broke off", { state: endedIn("state-unwritable") }, { kind: "failing", at: "elsewhere" }],
    ["not a fault that this look would find itself", { state: endedIn("endpoint-missing") }, { kind: "next" }],
    ["not a rollback that was none", { state: endedIn("no-way-back", "default") }, { kind: "next" }],
  ])("%s", (_title, host, standing) => expect(viewGiven(host).standing).toMatchObject(standing));
});
