import { describe, expect, test } from "vitest";
import { followOn, followPlainly, isMoveTold, type PassLook } from "../../../../src/updater/cli/screen/follow.ts";
import { paintFor } from "../../../../src/updater/cli/screen/paint.ts";
import { moveReasons, stayReasons } from "../../../../src/updater/plan/host-reasons.ts";
import { openStepScreen, type StepScreen } from "../../../../src/updater/cli/screen/steps.ts";

const plain = paintFor("other", { environment: {} });

function terminal(): { readonly screen: StepScreen; readonly written: () => string; readonly shown: () => readonly string[] } {
  let written = "";
  return {
    screen: openStepScreen((text) => (written += text), plain),
    written: () => written,
    // What is left on the screen once every line was written over.
    shown: () => written.split("\n").map((line) => line.split("\r\u001B[K").at(-1) ?? ""),
  };
}

const refresh = { step: "refresh", ms: 412 } as const;
const offer = { step: "offer", ms: 49 } as const;
const install = { step: "install", ms: 12_340 } as const;

describe("the steps of a pass on a terminal", () => {
  test("stand there while they last, and stay with how long they took", () => {
    const { screen, shown, written } = terminal();
    screen.show([], "refresh");
    expect(shown()).toEqual(["  refresh ..."]);
    screen.show([], "refresh");
    screen.show([refresh], "offer");
    screen.show([refresh, offer, install], undefined);
    expect(shown()).toEqual(["  refresh       0.4 s", "  offer         0.0 s", "  install       12.3 s", ""]);
    // Looked at again, nothing new is written.
    const before = written();
    screen.show([refresh, offer, install], undefined);
    expect(written()).toBe(before);
  });

  test("keep their times in one column on the rollback, too", () => {
    const { screen, shown } = terminal();
    screen.show([install, { step: "back-activate", ms: 3600 }], undefined);
    expect(shown()).toEqual(["  install       12.3 s", "  back-activate 3.6 s", ""]);
  });

  test("let another line pass above the one in hand", () => {
    const { screen, shown } = terminal();
    screen.say("upgrading now");
    screen.show([], "install");
    screen.say("a warning");
    expect(shown()).toEqual(["upgrading now", "a warning", "  install ..."]);
    screen.show([install], undefined);
    expect(shown()).toEqual(["upgrading now", "a warning", "  install       12.3 s", ""]);
  });
});

describe("a pass that is followed from outside", () => {
  const decision = "an upgrade is available (15.4.5 -> 15.4.6), upgrading now: it was asked for channel=default why=asked";
  const outcome = "upgraded svc-ent from 15.4.5 to 15.4.6; svc.service was restarted seconds=36";
  const before = "svc-upgrade.service: Failed to read pids.max for control group";
  const steps = ["  refresh       0.4 s", "  install       12.3 s"];

  test.each<readonly [string, readonly PassLook[], PassLook]>([
    ["over within one look", [], { lines: [decision, outcome], done: [refresh, install], inHand: undefined }],
    [
      "looked at before its last step was known to have ended",
      [
        { lines: [decision], done: [], inHand: "refresh" },
        { lines: [outcome], done: [refresh], inHand: "install" },
      ],
      { lines: [], done: [refresh, install], inHand: undefined },
    ],
    [
      "told of line by line",
      [
        { lines: [decision], done: [], inHand: undefined },
        { lines: [], done: [refresh], inHand: "install" },
      ],
      { lines: [outcome], done: [refresh, install], inHand: undefined },
    ],
  ])("and %s is told in the order in which it happened, whoever speaks before it", (_title, looks, end) => {
    const { screen, shown } = terminal();
    const follower = followOn(screen);
    for (const look of looks) follower.look(look);
    follower.end(end, "upgraded (15.4.5 -> 15.4.6)");
    expect(shown()).toEqual([decision, ...steps, outcome, ""]);
    const other = terminal();
    const spoken = [...looks, end].map((look, at) => (at === 0 ? { ...look, lines: [before, ...look.lines] } : look));
    const next = followOn(other.screen);
    for (const look of spoken.slice(0, -1)) next.look(look);
    next.end(spoken.at(-1) ?? end, undefined);
    expect(other.shown()).toEqual([before, decision, ...steps, outcome, ""]);
  });

  const current = "no upgrades available (15.4.5 == 15.4.5) channel=default";
  const unscheduled =
    "an upgrade is available (15.4.5 -> 15.4.6), not now: no valid schedule: the file is missing; lifted by: the agent exports one";

  test.each<readonly [string, string | undefined, readonly string[]]>([
    [current, "no upgrades available (15.4.5 == 15.4.5)", []],
    [current, undefined, [current]],
    [`${unscheduled} channel=default why=schedule-missing`, unscheduled, []],
    // It says more than the answer does.
    [
      `${unscheduled} channel=default why=schedule-missing`,
      unscheduled.replace(/;.*/, ""),
      [`${unscheduled} channel=default why=schedule-missing`],
    ],
  ])("and that only stays leaves to the answer what that says: %s beside %s", (line, answer, expected) => {
    const { screen, shown } = terminal();
    const follower = followOn(screen);
    follower.look({ lines: [before, line], done: [], inHand: undefined });
    follower.end({ lines: [], done: [], inHand: undefined }, answer);
    expect(shown()).toEqual([before, ...expected, ""]);
    const [starting, finished] = ["Starting svc-upgrade.service", "Finished svc-upgrade.service"];
    const said: string[] = [];
    const plainly = followPlainly((one) => said.push(one));
    plainly.look([starting]);
    expect(said).toEqual([starting]);
    plainly.look([line]);
    plainly.end([finished], answer);
    expect(said).toEqual([starting, ...expected, finished]);
  });

  test("off a terminal lets the lines of a move pass as they come", () => {
    const said: string[] = [];
    const { look, end } = followPlainly((one) => said.push(one));
    look([decision]);
    look(["Unpacking svc-ent"]);
    expect(said).toEqual([decision, "Unpacking svc-ent"]);
    end([outcome], "upgraded (15.4.5 -> 15.4.6)");
    expect(said).toEqual([decision, "Unpacking svc-ent", outcome]);
  });

  test("knows the decision to move by its reason, as both kinds of log write it", () => {
    for (const why of Object.keys(moveReasons)) {
      expect(isMoveTold(`upgrading now: it is time channel=default why=${why}`)).toBe(true);
      expect(isMoveTold(`{"level":"info","msg":"upgrading now","channel":"default","why":"${why}"}`)).toBe(true);
    }
    for (const why of [...Object.keys(stayReasons), '"a window"', "window-too-short"]) {
      expect(isMoveTold(`not now channel=default why=${why}`)).toBe(false);
    }
  });
});

describe("colour", () => {
  test.each([
    ["a terminal", "terminal", {}, "\u001B[31mbad\u001B[39m"],
    ["a terminal whose user wants none", "terminal", { NO_COLOR: "1" }, "bad"],
    ["a terminal with an empty NO_COLOR", "terminal", { NO_COLOR: "" }, "\u001B[31mbad\u001B[39m"],
    ["a pipe", "other", {}, "bad"],
    ["the journal", "journal", {}, "bad"],
  ] as const)("on %s", (_title, stream, environment, written) => {
    expect(paintFor(stream, { environment }).bad("bad")).toBe(written);
  });
});
