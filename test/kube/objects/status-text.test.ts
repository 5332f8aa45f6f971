import { describe, expect, test } from "vitest";
import { begin } from "../../../src/kube/objects/advance.ts";
import type { Decision, Move } from "../../../src/kube/objects/object-decision.ts";
import { nextKept, type KeptReading, type Look } from "../../../src/kube/objects/record.ts";
import type { SeenObject } from "../../../src/kube/objects/seen.ts";
import { nothingStands } from "../../../src/kube/objects/move-memory.ts";
import { statusScreen, statusText } from "../../../src/kube/objects/status-text.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { hear, nothingHeard } from "../../../src/rules/channel/heard.ts";
import { printInstant } from "../../../src/rules/window/instant.ts";
import { version } from "../../rules/version/given.ts";
import { defaultPolicy, now, objectOf } from "./given.ts";

const stay: Decision = { kind: "stay", why: "outside-window", told: "outside the maintenance window", until: now + 60 };
const own = { pods: [], revision: "a" };
const move: Move = {
  kind: "move",
  why: "window",
  told: "the window is open",
  until: now + 60,
  target: { kind: "upgrade", from: version("15.4.5"), to: version("15.4.6"), image: "svc:15.4.6" },
};
const heard = hear(
  nothingHeard,
  { channel: "default" as ChannelName, served: { kind: "version", version: version("15.4.6") } },
  now,
);

function keptOf(changes: Partial<Look> = {}) {
  const windowOf = "schedule" as const;
  const decided = {
    decision: stay,
    windowOf,
    current: version("15.4.5"),
    heard,
    unhealthySince: undefined,
    standing: nothingStands,
  };
  return nextKept(undefined, { now, uid: "11aa", ...decided, ...changes });
}

const linesOf = (text: string): readonly string[] => text.trimEnd().split("\n");

describe("the part of the record that people read", () => {
  const told = (changes: Partial<Look>): readonly string[] => linesOf(statusText(keptOf(changes), defaultPolicy.object));

  test("says why it stays, and until when", () => {
    expect(told({})).toEqual([
      "object: statefulset/agent, container svc",
      "version: 15.4.5",
      "channel: default serves 15.4.6",
      "decision: stay: outside the maintenance window",
      "reason: outside-window",
      "since: 2026-11-20T02:10:00Z",
      "until: 2026-11-20T02:11:00Z",
    ]);
  });

  test("says until when a move may begin", () => {
    expect(told({ decision: move })).toContain("may begin until: 2026-11-20T02:11:00Z");
  });

  test("says how the last move ended", () => {
    const [from, to] = [version("15.4.5"), version("15.4.6")];
    const last = { outcome: "back", from, to, imageBefore: "a", image: "b", at: now, why: "not ready" } as const;
    const lines = told({ standing: { ...nothingStands, last } });
    expect(lines).toContain("last move: taken back (15.4.5 -> 15.4.6): not ready, at 2026-11-20T02:10:00Z");
  });

  test("says which versions failed here, and what it waits for", () => {
    const rejected = [{ served: version("15.4.6"), artifact: "svc:15.4.6", at: now, why: "not ready" }];
    const backoff = { served: version("15.4.7"), cause: { message: "no pod" }, failures: 1, until: now + 60 };
    expect(told({ standing: { ...nothingStands, rejected, backoff } }).slice(-2)).toEqual([
      "rejected: 15.4.6, at 2026-11-20T02:10:00Z: not ready",
      "waiting: until 2026-11-20T02:11:00Z after: no pod",
    ]);
  });

  test("names a move in hand, whatever keeps it waiting", () => {
    const { standing } = { standing: begin(nothingStands, move, { now, object: objectOf(), own, container: "svc" }) };
    const paused: Decision = { kind: "stay", why: "not-rolling", told: "its rollouts are paused" };
    const line = "move in hand: 15.4.5 -> 15.4.6, since 2026-11-20T02:10:00Z: the image is about to be changed";
    expect(told({ standing, decision: paused })).toContain(line);
    expect(told({ standing, decision: { ...paused, why: "moving" } })).not.toContain(line);
  });

  test("says what to do", () => {
    expect(told({ decision: { ...stay, lift: "set `window`" } })).toContain("to end it: set `window`");
    const stop: Decision = { kind: "stop", code: "object-absent", told: "there is none", hint: "make one" };
    const lines = told({ decision: stop, current: undefined, heard: nothingHeard });
    expect(lines).toContain("next step: make one");
    expect(lines).toContain("version: not known");
    expect(lines).toContain("channel: no answer yet");
  });
});

describe("status", () => {
  const shown = (object: SeenObject | undefined, reading: KeptReading = { kind: "kept", record: keptOf() }) =>
    linesOf(statusScreen({ reading, object, policy: defaultPolicy, now }));

  test("adds to the record what the object is now", () => {
    expect(shown(objectOf()).slice(7)).toEqual([
      "image: registry.example:5000/svc:15.4.5",
      "pods: 3 of 3 ready, 3 run the newest template",
      "recorded: at 2026-11-20T02:10:00Z",
    ]);
  });

  test.each<readonly [string, Partial<SeenObject>, string]>([
    ["another container", { containers: [] }, "image: there is no container svc"],
    [
      "another image",
      { containers: [{ name: "svc", image: "svc:15.4.7" }] },
      "note: the object has 15.4.7 by now, and the updater has not looked at it since",
    ],
    ["another uid", { uid: "2" }, "note: the object was made again, and the updater has not looked at it since"],
    ["a slip", { skip: "yes" }, 'note: svc.dev/skipreconcile is "yes", which suspends nothing: only "true" does'],
    [
      "what is asked for",
      { asks: { ...objectOf().asks, retry: printInstant(now) } },
      "asked: svc.dev/retry of 2026-11-20T02:10:00Z is not acted on yet",
    ],
  ])("tells of %s", (_, changes, line) => {
    expect(shown(objectOf(changes))).toContain(line);
  });

  test("says that there is no object, or nothing recorded of it, or nothing that can be read", () => {
    expect(shown(undefined)).toContain("note: there is no StatefulSet agent in the namespace agents");
    expect(shown(objectOf(), { kind: "nothing" }).slice(0, 3)).toEqual([
      "object: statefulset/agent, container svc",
      "decision: none: the updater has not looked at it yet; its log says why",
      "image: registry.example:5000/svc:15.4.5",
    ]);
    expect(shown(objectOf(), { kind: "unreadable", why: "it is empty" }).slice(1, 4)).toEqual([
      "decision: stay: the record of earlier looks cannot be read: it is empty",
      "reason: needs-operator",
      expect.stringMatching(/^to end it: remove the record: `kubectl /),
    ]);
  });
});
