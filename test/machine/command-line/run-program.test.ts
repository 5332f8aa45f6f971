import { describe, expect, test } from "vitest";
import { asksForJson } from "../../../src/machine/command-line/asks-json.ts";
import { textOrJson, type Program, type Row } from "../../../src/machine/command-line/row.ts";
import { runProgram } from "../../../src/machine/command-line/run-program.ts";
import { understood } from "./understood.ts";

const row: Pick<Row<unknown>, "told" | "examples" | "call"> = { told: "told", examples: [], call: () => Promise.resolve(0) };

const program: Program<unknown> = {
  name: "lamp",
  told: "Lights.",
  groups: { bulb: "what shines" },
  lastOptions: () => [{ flags: "-c, --config <file>", told: "the settings", usual: "/etc/lamp", anywhere: true }],
  below: "Exit status: 0 done\n",
  rows: [
    {
      ...row,
      words: ["on"],
      options: [{ flags: "--watts <count>", told: "how bright", needed: true }],
      formats: ["yaml", "json"],
    },
    { ...row, words: ["off"], undoes: "on" },
    { ...row, words: ["bulb", "ls"], formats: textOrJson },
    {
      ...row,
      words: ["bulb", "add"],
      arguments: [["<name>", "as it is engraved"]],
      options: [{ flags: "-f, --force", told: "anyway" }],
      formats: textOrJson,
    },
    { ...row, words: ["tick"], hidden: "hidden", arguments: [["[words...]", ""]], unknownOptions: "passed-on" },
  ],
};

async function said(...argv: readonly string[]): Promise<string> {
  let shown = "";
  await runProgram(program, argv, { out: (text) => (shown += text), context: () => undefined });
  return shown;
}

test("the help lists what people type, and what takes it back beside it", async () => {
  expect(await said("--help")).toBe(`Usage: lamp <command> [options]

Lights.

  on, off   told
  bulb ls   told
  bulb add  told

Exit status: 0 done
`);
  for (const argv of [[], ["help"], ["--json", "--help"]]) expect(await said(...argv)).toBe(await said("--help"));
  expect(await said("help", "bulb", "add")).toContain("-f, --force");
  expect(await said("bulb", "--help")).not.toContain("help [command]");
  expect(await said("bulb", "--help")).toMatch(/what shines[^]* ls \[options\] [^]* add \[options\] <name> /);
  expect(await said("on", "--help")).toMatch(
    /-f, --format <format> {2}how the answer is written, yaml if not said[^]*"\/etc\/lamp"/,
  );
});

describe("what was typed", () => {
  test.each([
    [["bulb", "ls"], "text"],
    [["on", "--watts", "9"], "yaml"],
    ...["--json", "--format=json", "-f json", "--format json", "-fjson", "--json -f json"].flatMap((typed) => [
      [["bulb", "ls", ...typed.split(" ")], "json"] as const,
      [["on", ...typed.split(" "), "--watts=9"], "json"] as const,
    ]),
    [["-f", "json", "-c", "x", "bulb", "ls"], "json"],
    [["--json", "bulb", "ls"], "json"],
    [["bulb", "add", "x", "-f", "--json"], "json"],
    [["bulb", "add", "x", "-f"], "text"],
  ] as const)("%j is to be answered as %s", async (argv, format) => {
    expect((await understood(program, argv))?.given.format).toBe(format);
    expect(asksForJson(argv, program)).toBe(format === "json");
  });

  test("holds nothing that was not", async () => {
    const given = (await understood(program, ["bulb", "add", "x"]))!.given;
    expect([given.arguments, given.text("config"), given.isSet("force")]).toEqual([["x"], undefined, false]);
    expect((await understood(program, ["-c", "y", "bulb", "add", "x", "-f"]))!.given.text("config")).toBe("y");
    expect((await understood(program, ["tick", "--of", "it"]))!.given.arguments).toEqual(["--of", "it"]);
  });
});

test.each([
  [["on"], "required option '--watts <count>' not specified", "lamp on --help shows what it takes"],
  [["on", "--wats", "9"], "unknown option '--wats'", "Did you mean --watts?"],
  [["on", "--wats=9"], "unknown option '--wats'", "Did you mean --watts?"],
  [
    ["on", "--watts", "9", "--json", "-f", "yaml"],
    "option '--json' cannot be used with option '-f, --format <format>'",
    "lamp on",
  ],
  [
    ["bulb", "add", "x", "--format", "text", "--json"],
    "option '--json' cannot be used with option '--format <format>'",
    "lamp bulb",
  ],
  [["on", "--watts", "9", "-f", "text"], "argument 'text' is invalid. Allowed choices are yaml, json", "lamp on"],
  [["bulb", "add"], "missing required argument 'name'", "lamp bulb add --help shows what it takes: as it is engraved"],
  [["bulb", "--json"], '"lamp bulb" is only half of a command: next comes ls or add', "lamp bulb --help shows what each does"],
  [["bulb", "-c", "x", "ls"], '"lamp bulb" is only half of a command', "lamp bulb --help"],
  [["--json", "bulb"], '"lamp bulb" is only half of a command', "lamp bulb --help"],
  [["bulb", "add", "x", "y"], "too many arguments for 'add'", "lamp bulb add --help shows what it takes"],
  [["off", "-c"], "option '-c, --config <file>' argument missing", "lamp off --help shows what it takes"],
  [["bulb", "lss"], "unknown command 'lss'", "Did you mean ls?"],
  [["onn", "--help"], "unknown command 'onn'", "Did you mean on?"],
  [["tic"], "unknown command 'tic'", "lamp --help shows the commands"],
  [["--watts", "9", "on"], "unknown option '--watts'", "lamp --help shows the commands"],
  [["help", "offf"], "unknown command 'offf'", "Did you mean off?"],
  [["--json", "--watts", "9", "on"], "unknown option '--watts'", "lamp --help shows the commands"],
  [["--json", "onn"], "unknown command 'onn'", "Did you mean on?"],
  [["--json"], 'no command follows "--json"', "lamp --help shows the commands"],
  [["-c", "x", "--", "on"], 'no command follows "x"', "lamp --help shows the commands"],
  [["--", "on"], 'no command follows "--"', "lamp --help shows the commands"],
  [["-c", "x"], 'no command follows "x"', "lamp --help shows the commands"],
] as const)("%j is refused", async (argv, message, hint) => {
  await expect(said(...argv)).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  });
});
