import type { DescribedCommand, DescribedOption } from "../commands.ts";
import type { Completed } from "./completed.ts";
import { programOptions, valueOf, valueOfArgument, type Value } from "./value.ts";
import { firstWords } from "./words.ts";

export function fishCompletion({ program, commands }: Completed): string {
  const asks = `__${program.replaceAll("-", "_")}_command`;
  const words = firstWords(commands);
  const pairs = words.flatMap(({ word, below }) => below.map((second) => ({ ...second, first: word })));
  const complete = (names: readonly string[], rest: string): string =>
    `complete -c ${program} -n ${quoted([asks, ...names.map(argument)].join(" "))} ${rest}\n`;
  const first = (offer: string, told: string): string => complete([""], `${offer} -d ${quoted(told)}`);
  return `# fish completion for ${program}

# The command is the first word: the same word later on is a value.
function ${asks}
    set -l words (commandline -opc)
    contains -- "$words[2]" $argv
${pairs.length === 0 ? "" : secondWord}end

complete -c ${program} -f
${words.map(({ word, told }) => first(`-a ${word}`, told)).join("")}${programOptions(program)
    .map(([flag, told]) => first(`-l ${flag.slice(2)}`, told))
    .join("")}${pairs.map((pair) => complete([`${pair.first} `], `-a ${pair.word} -d ${quoted(pair.command.told)}`)).join("")}
${optionLines(commands, complete).join("")}
${commands.flatMap((command) => argumentLine(command, complete)).join("")}`;
}

/** Matches a command of two words; or its first word and a blank, if the second word is not typed yet. */
const secondWord = `    or contains -- "$words[2] $words[3]" $argv
`;

type Complete = (names: readonly string[], rest: string) => string;

/** One line for an option that means the same in several commands. */
function optionLines(commands: readonly DescribedCommand[], complete: Complete): readonly string[] {
  const all = commands.flatMap(({ name, options }) => [...options, help].map((option) => ({ name, line: optionLine(option) })));
  return [...Map.groupBy(all, ({ line }) => line)].map(([line, taking]) =>
    complete(
      taking.map(({ name }) => name),
      line,
    ),
  );
}

const help: DescribedOption = { flag: "--help", told: "show the help", short: undefined, value: undefined, choices: [] };

function optionLine(option: DescribedOption): string {
  const value = option.value === undefined ? "" : ` ${offered(valueOf(option))}`;
  const short = option.short === undefined ? "" : ` -s ${option.short.slice(1)}`;
  return `-l ${option.flag.slice(2)}${short}${value} -d ${quoted(option.told)}`;
}

function argumentLine({ name, argument: taken }: DescribedCommand, complete: Complete): readonly string[] {
  const value = taken && valueOfArgument(taken.name);
  if (value?.kind === "one-of") return [complete([name], `-a ${quoted(value.words.join(" "))}`)];
  if (value?.kind === "file") return [complete([name], "-F")];
  return value?.kind === "folder" ? [complete([name], `-a ${quoted("(__fish_complete_directories)")}`)] : [];
}

/** Escapes a word only if the shell needs it. */
function argument(word: string): string {
  return /^\S+$/.test(word) ? word : `"${word}"`;
}

function offered(value: Value): string {
  switch (value.kind) {
    case "one-of":
      return `-xa ${quoted(value.words.join(" "))}`;
    case "folder":
      return "-xa '(__fish_complete_directories)'";
    case "file":
      return "-rF";
    case "user":
      return "-xa '(__fish_complete_users)'";
    case "anything":
      return "-x";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
