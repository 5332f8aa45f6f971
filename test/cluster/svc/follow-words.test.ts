import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lookForWords, type AskedWords } from "../../../src/cluster/svc/follow-words.ts";
import { readKeptWords, type KeptWords } from "../../../src/cluster/svc/kept-words.ts";
import type { SaidWords } from "../../../src/cluster/svc/read-words.ts";
import type { Words } from "../../../src/proxy/server-rules/decided.ts";
import { parseDecisionNumber, type DecisionNumber } from "../../../src/rules/channel/decision-number.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { word, type Word } from "../../../src/rules/rollout/answer.ts";
import { encode } from "../../../src/rules/shape/write.ts";
import { keptLog, type Line } from "../../proxy/server/running.ts";
import { version } from "../../rules/version/given.ts";

const moving: Word = {
  number: 1,
  channel: "default" as ChannelName,
  target: version("15.4.7"),
  from: { kind: "none" },
  state: "moving",
  ids: ["0a".repeat(16)],
  threshold: 7,
};
const wordFor = (change: Partial<Word> = {}): Word => ({ ...moving, ...change });
const numbered = (number: string): DecisionNumber => parseDecisionNumber(number)!;
const texts = (words: readonly Word[]): readonly string[] => words.map((one) => JSON.stringify(encode(word, one)));
const news = (words: readonly string[], more: object = {}): SaidWords["news"] => ({
  kind: "words",
  words,
  released: [],
  ...more,
});
const said = (number: string, ...words: readonly Word[]): SaidWords => ({
  epoch: Number(number.split(".")[0]),
  number: numbered(number),
  lifeSeconds: 900,
  news: news(texts(words)),
});
const unchanged = (number: string): SaidWords => ({ ...said(number), news: { kind: "unchanged" } });
const other = wordFor({ channel: "other" as ChannelName, number: 4 });

type Followed = {
  readonly directory: string;
  readonly decided: Words[];
  readonly asked: AskedWords[];
  /** How long auth said that its answers count. */
  readonly lives: number[];
  readonly lines: readonly Line[];
  readonly look: () => Promise<"at-once" | "later" | "not-joined">;
  readonly answered: () => number;
};

function follow(auth: () => SaidWords | undefined, kept?: KeptWords): Followed {
  const directory = mkdtempSync(join(tmpdir(), "svc-words-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const { log, lines } = keptLog();
  const [decided, asked, lives]: [Words[], AskedWords[], number[]] = [[], [], []];
  let answers = 0;
  const look = lookForWords({
    ask: (question) => {
      asked.push(question);
      const answer = auth();
      return answer && Promise.resolve(answer);
    },
    life: { begin: (seconds) => void lives.push(seconds) },
    server: { served: () => ({ default: "v15.4.6" }), decide: (words) => void decided.push(words) },
    dataDirectory: directory,
    kept,
    answered: () => void (answers += 1),
    log,
  });
  const { signal } = new AbortController();
  return { directory, decided, asked, lives, lines, look: () => look(signal), answered: () => answers };
}

test("a joined proxy tells auth what it serves and has, and answers by what auth decides, which it keeps", async () => {
  let answer = said("3.7", moving);
  const { directory, decided, asked, lives, lines, look, answered } = follow(() => answer);
  expect(await look()).toBe("at-once");
  expect(asked).toEqual([{ served: { default: "v15.4.6" }, number: undefined }]);
  expect(decided).toMatchObject([{ epoch: 3, words: [moving] }]);
  const file = join(directory, "rollout-words.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readKeptWords(directory, keptLog().log)).toMatchObject({
    epoch: 3,
    number: "3.7",
    words: [moving],
    at: expect.any(Number),
  });
  const { ino } = statSync(file);
  answer = unchanged("3.7");
  expect(await look()).toBe("at-once");
  expect(asked[1]).toMatchObject({ number: "3.7" });
  expect([decided.length, statSync(file).ino, lines, answered()]).toEqual([1, ino, [], 2]);
  // Each answer counts anew.
  expect(lives).toEqual([900, 900]);
});

test("a channel that auth no longer decides about is answered by the configuration", async () => {
  let answer = said("3.7", moving, other);
  const { decided, look } = follow(() => answer);
  await look();
  answer = said("3.8", other);
  await look();
  expect(decided.map(({ words }) => words)).toEqual([[moving, other], [other]]);
});

test("an older decision is not taken, and counts as no answer", async () => {
  let answer = said("3.7", moving);
  const { directory, decided, lives, lines, look, answered } = follow(() => answer);
  await look();
  for (const older of [
    said("3.6", wordFor({ state: "paused" })),
    said("2.9", other),
    { ...said("3.7"), news: { kind: "diverged" } as const },
  ]) {
    answer = older;
    expect(await look()).toBe("later");
  }
  expect([decided.length, lives.length, answered(), lines.length]).toEqual([1, 1, 1, 1]);
  expect(readKeptWords(directory, keptLog().log)).toMatchObject({ number: "3.7", words: [moving] });
});

test("a proxy that was put back from an old image takes the newer decision at once", async () => {
  const kept: KeptWords = { epoch: 3, number: numbered("3.2"), words: [wordFor({ state: "paused" })], lost: [], at: 1 };
  const { decided, look } = follow(() => said("3.9", moving), kept);
  await look();
  expect(decided).toMatchObject([{ words: [moving] }]);
});

test("a word that a restored auth does not know stays and moves no host, until its channel is released or decided anew", async () => {
  let answer = said("1.7", moving, other);
  const { decided, lines, look } = follow(() => answer);
  await look();
  const restored = wordFor({ unsettled: true, number: 2 });
  answer = said("2.1", restored);
  await look();
  expect(decided[1]?.words).toEqual([restored, { ...other, unsettled: true }]);
  expect(lines).toMatchObject([{ level: "warning", fields: { channel: "other" } }]);
  expect(lines[0]?.sentence).toContain("tctl rollout release other");
  answer = said("2.2", moving);
  await look();
  expect(decided[2]?.words).toEqual([moving, { ...other, unsettled: true }]);
  answer = { ...said("2.3"), news: news(texts([moving]), { released: ["other"] }) };
  await look();
  expect(decided[3]?.words).toEqual([moving]);
  // In one epoch a word that is gone was released.
  answer = said("2.4");
  await look();
  expect(decided[4]?.words).toEqual([]);
});

test("a host that has not joined serves its configuration", async () => {
  const { directory, decided, lines, look, answered } = follow(() => undefined);
  expect(await look()).toBe("not-joined");
  expect([decided, lines, readKeptWords(directory, keptLog().log), answered()]).toEqual([[], [], "none", 0]);
});

test("an auth service without rollouts lets the configuration serve", async () => {
  const without = follow(() => {
    throw new Fault("request-refused", { message: "auth does not know this call", hint: "" });
  });
  await expect(without.look()).rejects.toThrow("does not know this call");
  expect([without.answered(), without.decided]).toEqual([1, []]);
});

test("a word of a later release leaves its channel as it was, and is logged once", async () => {
  const later = JSON.stringify({ ...(encode(word, wordFor({ number: 9 })) as object), state: "hurried" });
  let answer = said("3.1", moving);
  const { decided, lines, look } = follow(() => answer);
  await look();
  answer = { ...said("3.2"), news: news([later, "no word at all", ...texts([other])]) };
  await look();
  answer = { ...answer, number: numbered("3.3") };
  await look();
  expect(decided.map(({ words }) => words)).toEqual([[moving], [moving, other], [moving, other]]);
  expect(lines.map(({ level, fields }) => [level, fields?.["channel"]])).toEqual([
    ["warning", "default"],
    ["warning", ""],
  ]);
});

test("words that cannot be stored are used all the same", async () => {
  const { directory, decided, lines, look } = follow(() => said("3.1", moving));
  rmSync(directory, { recursive: true });
  await look();
  expect(decided).toHaveLength(1);
  expect(lines).toMatchObject([{ sentence: "what auth said about rollouts could not be kept on the disk" }]);
});
