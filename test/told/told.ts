import { expect } from "vitest";
import { complaints } from "../cli/documented.ts";
import { expectGolden, expectGoldenJson, sameWords, timeless } from "./golden.ts";

/** What was said on one host, and of it. */
export type Told = {
  /** What a person reads, with the exit status. */
  readonly words: readonly string[];
  /** The same as JSON, by the name of its schema. */
  readonly json: Readonly<Partial<Record<Answer, object>>>;
};

type Answer = "answer" | "status" | "doctor";

/** Of each kind of answer one is compared whole. Of all others the schema says what may stand there, and these cases which it is. */
const compared: ReadonlySet<string> = new Set([
  "stay/held",
  "stay/backing-off",
  "stay/alternating",
  "stay/blackout",
  "stay/schedule-invalid",
  "move/window",
  "move/rollback",
  "outcome/recovered-undone",
  "fault/unhealthy",
  "fault/way-back-failed",
  "fault/settings-invalid",
  "fault/contact-lost",
  "fault/busy",
]);

/**
 * The words, the codes of the JSON, and what it says that no screen does. Of the rows of `status` those that are usual are only named:
 * they have a golden of their own.
 */
export function expectTold(name: string, { words, json }: Told, usual: readonly string[]): void {
  const answers = Object.entries(json).map(([answer, said]) => ({ answer: answer as Answer, said }));
  const onScreens = readable(words.join("\n"));
  const sections = answers.map(({ answer, said }) => {
    const unheard = sentencesIn(said).filter((sentence) => !onScreens.includes(readable(sentence)));
    return [`# ${answer} as JSON`, ...codesOf(answer, said), ...new Set(unheard), ""].join("\n");
  });
  const isUsual = (row: string): boolean => usual.some((one) => readable(one) === readable(row));
  const shown = words.join("\n").replaceAll(rows, (row, label: string) => (isUsual(row) ? `${label.padEnd(12)}as ever\n` : row));
  expectGolden(name, `${shown}\n${sections.join("\n")}`);
  if (compared.has(name)) expectGoldenJson(name, withoutSentences(json));
}

/** The rows of a screen of `status`: a label each, and lines below each other. */
const rows = /^([a-z]+(?: [a-z]+)?) {2,}.*\n(?: {12}.*\n)*/gm;

export function rowsOf(screen: string): readonly string[] {
  return [...screen.matchAll(rows)].map(([row]) => row);
}

/** What the program answered, once it has been held against its schema; without what differs from run to run. */
export function parseAnswer(schema: Answer, stdout: string, names: Readonly<Record<string, string>>): object {
  const said = JSON.parse(stdout) as object;
  expect(complaints("fault" in said && !("decision" in said || "next" in said) ? "fault" : schema, said)).toEqual([]);
  return JSON.parse(stdout, (key, value: unknown) => {
    if (typeof value === "string") return timeless(value, names);
    return typeof value === "number" && differing.has(key) ? "N" : value;
  }) as object;
}

const differing: ReadonlySet<string> = new Set(["seconds", "ms", "process", "bytes"]);

/** What scripts branch on. A key that is added to the answers changes none of it. */
const codes: Readonly<Record<Answer, readonly (readonly [what: string, ...keys: readonly string[]])[]>> = {
  answer: [
    ["", "installed", "served", "available"],
    ["decision", "kind", "why", "target.kind", "target.to", "until"],
    ["outcome", "kind", "step", "from", "left", "to", "back.kind", "back.why", "back.step", "back.fault.code"],
    ["recovered", "step", "version", "ended"],
    ["fault", "code"],
  ],
  status: [
    ["", "standing", "installed", "served", "available"],
    ["next", "kind", "why", "target.kind", "target.to", "until"],
    ["decision", "kind", "why", "until"],
    ["fault", "code"],
    ["running", "by"],
    ["package", "version", "condition", "held"],
    ["schedule", "state"],
    ["schedule.windows.*", "start", "stop"],
    ["hold", "active", "until"],
    ["contact", "served", "critical", "silent"],
    ["rejected.*", "version", "package"],
    ["wait", "version", "failures", "fault.code"],
    ["operator", "at"],
    ["previous", "version"],
    ["kept.*", "package"],
    ["step", "step", "version"],
    ["passes.*", "decision.kind", "decision.why", "outcome.kind", "fault.code", "recovered.ended"],
  ],
  doctor: [["checks.*", "name", "verdict"]],
};

function codesOf(answer: Answer, said: object): readonly string[] {
  return codes[answer].flatMap(([what, ...keys]) =>
    valuesAt(said, what).flatMap((one) => {
      const values = keys.flatMap((key) => valuesAt(one, key));
      return values.length === 0 ? [] : [[what.replace(".*", ""), ...values].map(String).join(" ").trim()];
    }),
  );
}

function valuesAt(value: unknown, path: string): readonly unknown[] {
  const [key = "", ...rest] = path.split(".");
  if (key === "") return [value];
  if (typeof value !== "object" || value === null) return [];
  const below = key === "*" ? Object.values(value) : [(value as Readonly<Record<string, unknown>>)[key]];
  return below.filter((each) => each !== undefined).flatMap((each) => valuesAt(each, rest.join(".")));
}

/** A value of more than one word is said to a person. */
function isSentence(value: unknown): value is string {
  return typeof value === "string" && value.includes(" ");
}

function sentencesIn(said: object): readonly string[] {
  const found: string[] = [];
  JSON.stringify(said, (_key, value: unknown) => {
    if (isSentence(value)) found.push(value);
    return value;
  });
  return found;
}

function withoutSentences(json: Told["json"]): unknown {
  return JSON.parse(JSON.stringify(json), (_key, value: unknown) => (isSentence(value) ? "a sentence" : value));
}

/** As screens and JSON say it alike: an instant and a command are longer on a screen. */
function readable(text: string): string {
  return sameWords(text)
    .join(" ")
    .replaceAll(/Day YYYY-MM-DD hh:mm UTC/g, "TIME")
    .replaceAll(/ \((?:in|\d+) [^)]*\)/g, "")
    .replaceAll(" --root /srv/images/agent", "");
}
