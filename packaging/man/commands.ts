import type { DescribedCommand, DescribedOption } from "../commands.ts";
import { bold, indented, italic, sentence, tagged, text } from "./roff.ts";

/** Additional text about commands or options, by their names. */
export type More = Readonly<Record<string, string>>;

export function commandParagraphs(commands: readonly DescribedCommand[], more: More): string {
  const shared = sharedOptions(commands).map(({ option }) => option);
  return commands
    .map(({ name, told, argument, options }) => {
      const tag = [bold(name), ...(argument === undefined ? [] : [place(argument)])].join(" ");
      const own = options.filter((option) => !shared.some((other) => isSame(option, other)));
      const named = argument === undefined ? [] : [tagged(italic(argument.name), [sentence(argument.told)])];
      return (
        tagged(tag, [sentence(told), ...moreOf(name, more)]) +
        indented([...named, ...own.map((option) => optionParagraph(option, moreOf(option.flag, more)))])
      );
    })
    .join("");
}

export function sharedOptionParagraphs(commands: readonly DescribedCommand[], more: More): string {
  const paragraphs = sharedOptions(commands).map(({ option, takenBy }) => {
    const only = takenBy.length === commands.length ? [] : [`Only for ${takenBy.map(bold).join(", ")}.`];
    return optionParagraph(option, [...moreOf(option.flag, more), ...only]);
  });
  return [...paragraphs, tagged(bold("--help"), ["Show what the command understands, with examples."])].join("");
}

type Shared = { readonly option: DescribedOption; readonly takenBy: readonly string[] };

/** Options that mean the same in several commands. */
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

function place({ name, isRequired }: { readonly name: string; readonly isRequired: boolean }): string {
  return isRequired ? italic(name) : `[${italic(name)}]`;
}

function optionParagraph({ flag, short, value, told, choices }: DescribedOption, besides: readonly string[]): string {
  const flags = short === undefined ? bold(flag) : `${bold(short)}, ${bold(flag)}`;
  const tag = value === undefined ? flags : `${flags} ${italic(value)}`;
  const allowed = choices.length === 0 ? [] : [`One of ${choices.map(bold).join(", ")}.`];
  return tagged(tag, [sentence(told), ...allowed, ...besides]);
}

function moreOf(name: string, more: More): readonly string[] {
  return more[name]?.split(/(?<=\.) (?=[A-Z])/).map(text) ?? [];
}
