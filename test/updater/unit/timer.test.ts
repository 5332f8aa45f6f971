import { describe, expect, test } from "vitest";

import type { Command, CommandResult } from "../../../src/machine/processes/command.ts";
import { parseTimer, showTimer, timerTrouble, type ShownTimer } from "../../../src/updater/unit/timer.ts";

/** As systemd 247, 252 and 257 print it alike. */
const waiting = `NextElapseUSecRealtime=Sat 2026-11-21 08:52:05 UTC
LastTriggerUSec=Sat 2026-11-21 08:42:00 UTC
LoadState=loaded
ActiveState=active
UnitFileState=enabled
`;

const off = "NextElapseUSecRealtime=\nLastTriggerUSec=\nLoadState=loaded\nActiveState=inactive\nUnitFileState=disabled\n";

const on: ShownTimer = {
  load: "loaded",
  isEnabled: true,
  isActive: true,
  lastAt: Date.UTC(2026, 10, 21, 8, 42) / 1000,
  nextAt: Date.UTC(2026, 10, 21, 8, 52, 5) / 1000,
};

describe("the updater's timer", () => {
  test.each<[title: string, printed: string, timer: ShownTimer]>([
    [
      "is masked",
      off.replace("loaded", "masked").replace("disabled", "masked"),
      { load: "masked", isEnabled: false, isActive: false, lastAt: undefined, nextAt: undefined },
    ],
    ["is not there", "", { load: "missing", isEnabled: false, isActive: false, lastAt: undefined, nextAt: undefined }],
  ])("%s", (_title, printed, timer) => expect(parseTimer(printed)).toEqual(timer));

  test("is asked about in UTC, whatever zone the host has", async () => {
    const asked: Command[] = [];
    const answer: CommandResult = { kind: "exited", status: 0, stdout: waiting, stderr: "" };
    expect(await showTimer((command) => (asked.push(command), Promise.resolve(answer)))).toEqual(on);
    expect(asked[0]?.env["TZ"]).toBe("UTC");
    expect(asked[0]?.argv.at(-1)).toBe("svc-upgrade.timer");
  });
});

describe("what keeps the timer from starting passes", () => {
  test.each<[title: string, timer: Partial<ShownTimer>, kind: string | undefined, fix: RegExp]>([
    ["it is masked", { load: "masked", isActive: false }, "off", /^sudo systemctl unmask .* && sudo systemctl enable --now /],
    ["it is not there", { load: "missing", isEnabled: false, isActive: false }, "off", /svc-ent-updater/],
    ["it ends with this boot", { isEnabled: false }, "fleeting", /^sudo systemctl enable --now svc-upgrade\.timer$/],
  ])("%s", (_title, changes, kind, fix) => {
    const trouble = timerTrouble({ ...on, ...changes });
    expect(trouble?.kind).toBe(kind);
    expect(trouble?.fix ?? "").toMatch(fix);
  });
});
