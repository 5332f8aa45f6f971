import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lookForWords } from "../../../src/cluster/svc/follow-words.ts";
import { readKeptWords } from "../../../src/cluster/svc/kept-words.ts";
import type { SaidWords } from "../../../src/cluster/svc/read-words.ts";
import type { Words } from "../../../src/proxy/server-rules/decided.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
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
const said = (...words: readonly Word[]): SaidWords => ({
  epoch: 3,
  lifeSeconds: 900,
  words: words.map((one) => JSON.stringify(encode(word, one))),
});
const other = wordFor({ channel: "other" as ChannelName, number: 4 });

type Followed = {
  readonly directory: string;
  readonly decided: Words[];
  readonly asked: unknown[];
  /** How long auth said that its answers count. */
  readonly lives: number[];
  readonly lines: readonly Line[];
  readonly look: () => Promise<void>;
};

function follow(auth: () => SaidWords | undefined): Followed {
  const directory = mkdtempSync(join(tmpdir(), "svc-words-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const { log, lines } = keptLog();
  const [decided, asked, lives]: [Words[], unknown[], number[]] = [[], [], []];
  const look = lookForWords({
    ask: (served) => {
      asked.push(served);
      const answer = auth();
      return answer && Promise.resolve(answer);
    },
    life: { begin: (seconds) => void lives.push(seconds) },
    server: { served: () => ({ default: "v15.4.6" }), decide: (words) => void decided.push(words) },
    dataDirectory: directory,
    kept: undefined,
    log,
  });
  return { directory, decided, asked, lives, lines, look };
}

test("a joined proxy tells auth what it serves, and answers by what auth decides, which it keeps", async () => {
  const { directory, decided, asked, lives, lines, look } = follow(() => said(moving));
  await look();
  expect(asked).toEqual([{ default: "v15.4.6" }]);
  expect(decided).toMatchObject([{ epoch: 3, words: [moving] }]);
  const file = join(directory, "rollout-words.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readKeptWords(directory, keptLog().log)).toMatchObject({ epoch: 3, words: [moving], at: expect.any(Number) });
  const { ino } = statSync(file);
  await look();
  expect([asked.length, decided.length, statSync(file).ino, lines]).toEqual([2, 1, ino, []]);
  // Each answer counts anew.
  expect(lives).toEqual([900, 900]);
});

test("a channel that auth no longer decides about is given back", async () => {
  let answer = said(moving, other);
  const { decided, look } = follow(() => answer);
  await look();
  answer = said(other);
  await look();
  expect(decided.map(({ words }) => words)).toEqual([[moving, other], [other]]);
});

test("a host that has not joined serves its configuration", async () => {
  const { directory, decided, lines, look } = follow(() => undefined);
  await look();
  expect([decided, lines, readKeptWords(directory, keptLog().log)]).toEqual([[], [], undefined]);
});

test("a word of a later release leaves its channel as it was, and is logged once", async () => {
  const later = JSON.stringify({ ...(encode(word, wordFor({ number: 9 })) as object), state: "hurried" });
  let answer = said(moving);
  const { decided, lines, look } = follow(() => answer);
  await look();
  answer = { ...answer, words: [later, "no word at all", ...said(other).words] };
  await look();
  answer = { ...answer, epoch: 4 };
  await look();
  expect(decided.map(({ words }) => words)).toEqual([[moving], [moving, other], [moving, other]]);
  expect(lines.map(({ level, fields }) => [level, fields?.["channel"]])).toEqual([
    ["warning", "default"],
    ["warning", ""],
  ]);
});

test("what cannot be kept is in force all the same", async () => {
  const { directory, decided, lines, look } = follow(() => said(moving));
  rmSync(directory, { recursive: true });
  await look();
  expect(decided).toHaveLength(1);
  expect(lines).toMatchObject([{ sentence: "what auth said about rollouts could not be kept on the disk" }]);
});
