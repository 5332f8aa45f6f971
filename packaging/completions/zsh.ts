import type { DescribedCommand, DescribedOption } from "../commands.ts";
import type { Completed } from "./completed.ts";
import { programOptions, valueOf, valueOfArgument, type Value } from "./value.ts";
import { firstWords, type FirstWord } from "./words.ts";

/** The file is the body of the function that zsh loads when it is first needed. */
export function zshCompletion({ program, commands }: Completed): string {
  const shared = sharedSpecs(commands);
  const words = firstWords(commands);
  return `#compdef ${program}

if (( CURRENT == 2 )); then
  local -a commands options
  commands=(
${words.map(({ word, told }) => `    ${described(word, told)}\n`).join("")}  )
  options=(
${programOptions(program)
  .map(([flag, told]) => `    ${quoted(`${flag}:${told}`)}\n`)
  .join("")}  )
  _describe -t commands '${program} command' commands -- options
  return
fi

local command=$words[2]
shift words
(( CURRENT-- ))
${words.map((word) => secondWords(word, program)).join("")}local -a shared=(
${shared.map((spec) => `  ${quoted(spec)}\n`).join("")})
case $command in
${commands.map((command) => argumentsOf(command, shared)).join("")}  *) _message 'unknown ${program} command' ;;
esac
`;
}

/** Joins a command's two words to one name. */
function secondWords({ word, below }: FirstWord, program: string): string {
  if (below.length === 0) return "";
  return `if [[ $command == ${word} ]]; then
  if (( CURRENT == 2 )); then
    local -a below=(
${below.map((second) => `      ${described(second.word, second.command.told)}\n`).join("")}    )
    _describe -t commands '${program} ${word} command' below
    return
  fi
  command="${word} $words[2]"
  shift words
  (( CURRENT-- ))
fi
`;
}

/** Options of every command. */
function sharedSpecs(commands: readonly DescribedCommand[]): readonly string[] {
  const [first = [], ...others] = commands.map(({ options }) => options.flatMap(optionSpecs));
  return [...first.filter((spec) => others.every((specs) => specs.includes(spec))), "--help[show the help]"];
}

function argumentsOf({ name, argument, options }: DescribedCommand, shared: readonly string[]): string {
  const own = options.flatMap(optionSpecs).filter((spec) => !shared.includes(spec));
  const position = argument && `1:${escaped(argument.told)}:${action(valueOfArgument(argument.name))}`;
  const specs = [...own, ...(position === undefined ? [] : [position])].map((spec) => ` \\\n      ${quoted(spec)}`);
  return `  ${name.replace(" ", "\\ ")})\n    _arguments $shared${specs.join("")}\n    ;;\n`;
}

function optionSpecs(option: DescribedOption): readonly string[] {
  const told = escaped(option.told).replaceAll(/[[\]]/g, "\\$&");
  const { flag, short, value } = option;
  const taken = value === undefined ? "" : `:${value}:${action(valueOf(option))}`;
  const long = `${flag}${value === undefined ? "" : "="}[${told}]${taken}`;
  return short === undefined ? [long] : [long, `${short}[${told}]${taken}`];
}

function action(value: Value): string {
  switch (value.kind) {
    case "one-of":
      return `(${value.words.join(" ")})`;
    case "folder":
      return "_files -/";
    case "file":
      return "_files";
    case "user":
      return "_users";
    case "anything":
      // Offers no values, and only shows what the value means.
      return " ";
  }
}

function described(word: string, told: string): string {
  return quoted(`${word}:${escaped(told)}`);
}

/** Escapes text for a zsh function that splits it at colons. */
function escaped(text: string): string {
  return text.replaceAll(/[\\:]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
