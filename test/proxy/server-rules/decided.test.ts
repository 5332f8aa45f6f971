import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { askerBy, decidedAnswer, decisionOf, tellsTarget, unconfirmedFor } from "../../../src/proxy/server-rules/decided.ts";
import type { Word } from "../../../src/rules/rollout/answer.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { version } from "../../rules/version/given.ts";

const host = "0a".repeat(16);
const word: Word = {
  number: 7,
  channel: "default" as ChannelName,
  target: version("15.4.6"),
  from: { kind: "version", version: version("15.4.5") },
  state: "moving",
  ids: [host],
  threshold: 0,
};

test("a host is known by its name, and what it has installed counts with that alone", () => {
  expect(askerBy({ "x-svc-host": host, "x-svc-installed": "15.4.5" })).toEqual({ host, installed: "15.4.5" });
  expect(askerBy({ "x-svc-host": host, "x-svc-installed": ["15.4.5"] })).toEqual({ host, installed: undefined });
  expect(askerBy({ "x-svc-host": "no id", "x-svc-installed": "15.4.5" })).toEqual({ host: undefined, installed: undefined });
});

test("the target is told to a host that was told it, and to nobody without a name", () => {
  const isTold = tellsTarget(word, (text) => hash("sha256", text));
  const told = [{ "x-svc-host": host }, { "x-svc-host": "0b".repeat(16) }, {}].map((headers) => isTold(askerBy(headers)));
  expect(told).toEqual([true, false, false]);
});

test("no cache keeps an answer, and a rollout is critical only where it is said", () => {
  const decision = decisionOf({ epoch: 2, words: [word] }, word);
  expect(decision).toBe("2.7");
  expect(decidedAnswer("version", word.from, { decision })).toMatchObject({
    body: "v15.4.5\n",
    cacheControl: "private, no-store",
  });
  expect(decidedAnswer("critical", word.from, { decision, isCritical: true })).toMatchObject({ body: "yes\n" });
  expect(decidedAnswer("critical", word.from, { decision })).toMatchObject({ body: "no\n", names: "v15.4.5" });
});

test("by a word that may be outdated a host is told the version that it names, and any other what hosts without a name are told", () => {
  const told = (headers: object) => unconfirmedFor(askerBy({ ...headers }));
  const nobody = { asker: { host: undefined, installed: undefined } };
  expect(told({ "x-svc-host": host, "x-svc-installed": "15.4.4" })).toEqual({ version: "15.4.4" });
  expect(told({ "x-svc-host": host, "x-svc-installed": "no version" })).toEqual(nobody);
  expect(told({ "x-svc-host": host })).toEqual(nobody);
  expect(told({ "x-svc-installed": "15.4.4" })).toEqual(nobody);
  const { besides } = decidedAnswer("version", word.from, { decision: undefined, isUnconfirmed: true });
  expect(besides?.slice(-2)).toEqual(["x-svc-unconfirmed", "yes"]);
});
