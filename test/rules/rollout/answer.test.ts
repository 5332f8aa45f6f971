import { describe, expect, test } from "vitest";
import { printServed } from "../../../src/rules/channel/headers.ts";
import { answersBy, word, wordOf, type Word } from "../../../src/rules/rollout/answer.ts";
import { advance } from "../../../src/rules/rollout/advance.ts";
import { decodeValue } from "../../../src/rules/shape/read.ts";
import { encode } from "../../../src/rules/shape/write.ts";
import { begun, canary, from, hostOf, hostsOf, rest, seen, specOf, target } from "./given.ts";

const said: Omit<Word, "state"> = {
  number: 7,
  channel: specOf().channel,
  target,
  from: { kind: "version", version: from },
  ids: ["by-name"],
  threshold: 100,
};
const hosts = {
  "told by its rank": { installed: from, named: { id: "one", rank: 99 } },
  "not told": { installed: from, named: { id: "one", rank: 100 } },
  "told by its id": { installed: from, named: { id: "by-name", rank: 100 } },
  "at the target": { installed: "15.4.6-1", named: { id: "one", rank: 100 } },
  nameless: { installed: from },
  "nameless, at the target": { installed: target },
  "without a version": { installed: undefined },
};

describe.each<readonly [Word["state"], readonly (keyof typeof hosts)[]]>([
  ["moving", ["told by its rank", "told by its id", "at the target", "nameless, at the target"]],
  ["paused", ["at the target", "nameless, at the target"]],
  ["halted", ["at the target", "nameless, at the target"]],
  ["undone", []],
  ["done", Object.keys(hosts) as (keyof typeof hosts)[]],
])("while it is %s", (state, newer) => {
  const answer = answersBy({ ...said, state });
  test.each(Object.entries(hosts))("a host %s", (title, asking) => {
    expect(printServed(answer(asking))).toBe((newer as readonly string[]).includes(title) ? "v15.4.6" : "v15.4.5");
  });
});

test.each([
  [true, true],
  [false, undefined],
])("a rollout whose spec says critical: %s has such a word, which proxies and the store keep", (isCritical, critical) => {
  const status = begun(specOf([rest], { isCritical }), seen(hostsOf(3)));
  const told = wordOf(specOf(), status);
  expect(told.critical).toBe(critical);
  expect(decodeValue(encode(word, told), word, "ignored")).toMatchObject({ kind: "read", value: told });
});

test("a channel that served nothing goes on serving nothing", () => {
  expect(answersBy({ ...said, from: { kind: "none" }, state: "halted" })({ installed: undefined })).toEqual({ kind: "none" });
});

test("the word has what the status tells, and survives its JSON", () => {
  const spec = specOf([canary, { ...rest, atOnce: { kind: "count", count: 3 } }]);
  const labelled = hostOf("labelled", { labels: { env: "canary" } });
  const all = seen([labelled, ...hostsOf(9)]);
  const status = advance(spec, begun(spec, all), all);
  const told = wordOf(spec, status);
  expect(told).toMatchObject({ state: "moving", ids: ["labelled"], threshold: 0, number: 2, channel: "default" });
  expect(decodeValue(encode(word, told), word, "ignored")).toEqual({ kind: "read", value: told });
  const answer = answersBy(told);
  const versions = [labelled, ...hostsOf(9)].map((named) => answer({ installed: from, named }));
  expect(versions.map(printServed)).toEqual(["v15.4.6", ...Array.from({ length: 9 }, () => "v15.4.5")]);
});
