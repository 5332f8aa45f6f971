import { describe, expect, test } from "vitest";
import { followOn, type PassLook } from "../../../src/cli/screen/follow.ts";
import { paintFor } from "../../../src/cli/screen/paint.ts";
import { openStepScreen, type StepScreen } from "../../../src/cli/screen/steps.ts";

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
  const decision = "upgrading now";
  const outcome = "upgraded";
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
  ])("and %s is told in the order in which it happened", (_title, looks, end) => {
    const { screen, shown } = terminal();
    const follower = followOn(screen);
    for (const look of looks) follower.look(look);
    follower.end(end);
    expect(shown()).toEqual([decision, ...steps, outcome, ""]);
  });

  test("and that only stays is told at once", () => {
    const { screen, shown } = terminal();
    const follower = followOn(screen);
    follower.look({ lines: ["not now"], done: [], inHand: undefined });
    expect(shown()).toEqual(["not now", ""]);
    follower.end({ lines: [], done: [], inHand: undefined });
    expect(shown()).toEqual(["not now", ""]);
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
