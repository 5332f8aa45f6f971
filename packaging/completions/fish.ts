import type { DescribedCommand, DescribedOption } from "../commands.ts";
import { programOptions, valueOf, valueOfArgument, type Value } from "./value.ts";

export function fishCompletion(commands: readonly DescribedCommand[]): string {
  return `# fish completion for svc-upgrade

# The command is the first word: the same word later on is a value.
function __svc_upgrade_command
    set -l words (commandline -opc)
    contains -- "$words[2]" $argv
end

complete -c svc-upgrade -f
${commands.map(({ name, told }) => firstWord(`-a ${name}`, told)).join("")}${programOptions
    .map(([flag, told]) => firstWord(`-l ${flag.slice(2)}`, told))
    .join("")}
${optionLines(commands).join("")}
${commands.flatMap(argumentLine).join("")}`;
}

function firstWord(words: string, told: string): string {
  return `complete -c svc-upgrade -n '__svc_upgrade_command ""' ${words} -d ${quoted(told)}\n`;
}

/** One line for an option that means the same to several commands. */
function optionLines(commands: readonly DescribedCommand[]): readonly string[] {
  const all = commands.flatMap(({ name, options }) => [...options, help].map((option) => ({ name, line: optionLine(option) })));
  return [...Map.groupBy(all, ({ line }) => line)].map(
    ([line, taking]) => `complete -c svc-upgrade -n ${condition(taking.map(({ name }) => name))} ${line}\n`,
  );
}

const help: DescribedOption = { flag: "--help", told: "show the help", value: undefined, choices: [] };

function optionLine(option: DescribedOption): string {
  const value = option.value === undefined ? "" : ` ${offered(valueOf(option))}`;
  return `-l ${option.flag.slice(2)}${value} -d ${quoted(option.told)}`;
}

function argumentLine({ name, argument }: DescribedCommand): readonly string[] {
  if (argument === undefined || valueOfArgument(argument.name).kind !== "file") return [];
  return [`complete -c svc-upgrade -n ${condition([name])} -F\n`];
}

function condition(names: readonly string[]): string {
  return quoted(`__svc_upgrade_command ${names.join(" ")}`);
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
