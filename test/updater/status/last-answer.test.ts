import { describe, expect, test } from "vitest";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { emptyState, type State } from "../../../src/updater/record/state.ts";
import { lastAnswer, type LastAnswer } from "../../../src/updater/status/decision-basis.ts";
import { now, servedVersion } from "../plan/given.ts";
import { passOf } from "./given.ts";

const lastContact = { at: now - 240, served: servedVersion, isCritical: true };
const answered: LastAnswer = {
  kind: "answer",
  answer: { kind: "served", served: { kind: "version", version: servedVersion }, isCritical: true },
};

describe("the last answer of the channel", () => {
  test.each<[title: string, state: Partial<State>, answer: LastAnswer]>([
    ["there was none", {}, { kind: "unasked", asked: undefined }],
    ["of this channel", { lastContact, passes: [passOf()] }, answered],
    ["of a pass that is not remembered any more", { lastContact, passes: [passOf({ startedAt: now })] }, answered],
    [
      "of another channel",
      { lastContact, passes: [passOf({ startedAt: now }), passOf({ channel: "stable/cloud" })] },
      { kind: "unasked", asked: "stable/cloud" },
    ],
    [
      "that no version is served",
      { lastContact: { at: now, served: "none", isCritical: false } },
      { kind: "answer", answer: { kind: "served", served: { kind: "none" }, isCritical: false } },
    ],
  ])("%s", (_title, state, answer) => {
    expect(lastAnswer({ ...emptyState, ...state }, "default" as ChannelName)).toEqual(answer);
  });
});
