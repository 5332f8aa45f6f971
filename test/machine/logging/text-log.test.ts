import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogFields, LogLevel } from "../../../src/machine/logging/log.ts";
import { textLog, type TextLog } from "../../../src/machine/logging/text-log.ts";

function printed(options: TextLog, lines: readonly (readonly [LogLevel, string, (LogFields | undefined)?])[]): string {
  let text = "";
  const log = textLog(options, (line) => {
    text += line;
  });
  for (const [level, sentence, fields] of lines) log(level, sentence, fields);
  return text;
}

const person: TextLog = { threshold: "debug", reader: "person" };

describe("a log line", () => {
  test.each<[title: string, sentence: string, fields: LogFields | undefined, line: string]>([
    ["says its sentence alone", "a sentence", undefined, "a sentence\n"],
    [
      "puts the data behind it",
      "asked",
      { channel: "stable/cloud", seconds: 2, isCritical: false },
      "asked channel=stable/cloud seconds=2 isCritical=false\n",
    ],
    ["leaves out what is undefined", "asked", { until: undefined, why: "held" }, "asked why=held\n"],
    ["quotes a value with a blank", "x", { told: "two words" }, 'x told="two words"\n'],
    ["quotes an empty value", "x", { told: "" }, 'x told=""\n'],
    ["escapes quotes and backslashes", "x", { told: 'a"b\\c' }, 'x told="a\\"b\\\\c"\n'],
    ["quotes what looks like another field", "x", { told: "a=b" }, 'x told="a=b"\n'],
    ["is one line whatever it is told", "one\ntwo", { told: "a\nb\u001b[31m" }, 'one two told="a b [31m"\n'],
    [
      "masks the sentence and the data",
      "via http://u:p@proxy",
      { proxy: "http://u:p@proxy" },
      "via http://***@proxy proxy=http://***@proxy\n",
    ],
  ])("%s", (_, sentence, fields, line) => {
    expect(printed(person, [["info", sentence, fields]])).toBe(line);
  });

  test("starts with its priority under the journal", () => {
    const lines = (["debug", "info", "notice", "warning", "error"] as const).map((level) => [level, "s"] as const);
    expect(printed({ threshold: "debug", reader: "journal" }, lines)).toBe("<7>s\n<6>s\n<5>s\n<4>s\n<3>s\n");
  });

  test("below the threshold is not written", () => {
    const lines = (["debug", "info", "notice", "warning", "error"] as const).map((level) => [level, level] as const);
    expect(printed({ threshold: "notice", reader: "person" }, lines)).toBe("notice\nwarning\nerror\n");
  });

  test("is one printable line for any sentence and value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (sentence, value) => {
        // oxlint-disable-next-line no-control-regex
        expect(printed(person, [["info", sentence, { value }]])).toMatch(/^[^\u0000-\u001f\u007f]*\n$/);
      }),
    );
  });
});
