import type { DescribedCommand, DescribedOption } from "../commands.ts";
import { bold, indented, italic, sentence, tagged, text } from "./roff.ts";

/** What the one line of the help leaves out, of commands and of options. */
export const more: Readonly<Record<string, string>> = {
  status: "Works offline; what this user may not read is named.",
  doctor:
    "A broken hop does not hide the ones after it. The network is asked as svc-upgrade-ask.service would ask it, not as root. " +
    "The exit status is 69 where something failed.",
  "dry-run": "Prints one line that compares the versions; the log says what a pass would do, why, and when.",
  run: "It is the same unit that the timer starts: a lost terminal ends the following, not the pass.",
  hold: "The end of a hold is said once, by the first pass after it.",
  retry: "It moves nothing by itself.",
  rollback: "It does so at once, whatever the window says, and without asking the channel.",
  schedule: "The exit status is 65 where a line is wrong.",
  enroll:
    "Asks the endpoint first, and changes nothing unless it answers. Writes the settings, gives the schedule to the agent's user, starts the timer, " +
    "and ends with a dry run. A second time changes nothing.",
  "--json": "One object, for a fault too; `/usr/share/svc-upgrade/schemas` describes them all, key by key.",
  "--root": "Its package scripts run as the package manager's tools do by default; its units and its agent are never started.",
};

export function commandParagraphs(commands: readonly DescribedCommand[]): string {
  const shared = sharedOptions(commands).map(({ option }) => option);
  return commands
    .map(({ name, told, argument, options }) => {
      const tag = argument === undefined ? bold(name) : `${bold(name)} [${italic(argument.name)}]`;
      const own = options.filter((option) => !shared.some((other) => isSame(option, other)));
      const named = argument === undefined ? [] : [tagged(italic(argument.name), [sentence(argument.told)])];
      return (
        tagged(tag, [sentence(told), ...moreOf(name)]) + indented([...named, ...own.map((option) => optionParagraph(option, []))])
      );
    })
    .join("");
}

export function sharedOptionParagraphs(commands: readonly DescribedCommand[]): string {
  const paragraphs = sharedOptions(commands).map(({ option, takenBy }) => {
    const only = takenBy.length === commands.length ? [] : [`Only for ${takenBy.map(bold).join(", ")}.`];
    return optionParagraph(option, only);
  });
  return [...paragraphs, tagged(bold("--help"), ["Show what the command understands, with examples."])].join("");
}

type Shared = { readonly option: DescribedOption; readonly takenBy: readonly string[] };

/** Options that mean the same to several commands. */
function sharedOptions(commands: readonly DescribedCommand[]): readonly Shared[] {
  const all = commands.flatMap(({ options }) => options);
  const first = all.filter((option, at) => all.findIndex((other) => isSame(option, other)) === at);
  return first
    .map((option) => ({
      option,
      takenBy: commands.filter(({ options }) => options.some((other) => isSame(option, other))).map(({ name }) => name),
    }))
    .filter(({ takenBy }) => takenBy.length > 1);
}

function isSame(one: DescribedOption, other: DescribedOption): boolean {
  return one.flag === other.flag && one.told === other.told;
}

function optionParagraph({ flag, value, told, choices }: DescribedOption, only: readonly string[]): string {
  const tag = value === undefined ? bold(flag) : `${bold(flag)} ${italic(value)}`;
  const allowed = choices.length === 0 ? [] : [`One of ${choices.map(bold).join(", ")}.`];
  return tagged(tag, [sentence(told), ...allowed, ...moreOf(flag), ...only]);
}

function moreOf(name: string): readonly string[] {
  return more[name]?.split(/(?<=\.) (?=[A-Z])/).map(text) ?? [];
}
