import type { DescribedCommand, DescribedOption } from "../commands.ts";
import type { Completed } from "./completed.ts";
import { programOptions, valueOf, valueOfArgument, type Value } from "./value.ts";
import { firstWords, type FirstWord } from "./words.ts";

/** The script uses only readline's own variables, and not the functions of the package bash-completion. */
export function bashCompletion({ program, commands }: Completed): string {
  const name = `_${program.replaceAll("-", "_")}`;
  const words = firstWords(commands);
  const first = [...words.map(({ word }) => word), ...programOptions(program).map(([flag]) => flag)];
  return `# bash completion for ${program.padEnd(36)} -*- shell-script -*-

${name}_files() {
    # Readline then shows last names alone, and quotes them.
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

${name}() {
    local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
    # In --option=value the sign is a word of its own.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=\${COMP_WORDS[COMP_CWORD - 2]}
    fi

    local options${placesAfter(commands).length === 0 ? "" : " argument=none"}
    if ((COMP_CWORD == 1)); then
        options='${first.join(" ")}'
    else
        case \${COMP_WORDS[1]} in
${words.map(optionsAfter).join("")}        *) return ;;
        esac
    fi

    COMPREPLY=()
    case $previous in
${valuesOf(commands, name)}    *)
${argumentsOf(commands, name)}        ;;
    esac
} && complete -F ${name} ${program}
`;
}

function optionsAfter({ word, command, below }: FirstWord): string {
  if (command !== undefined) return `        ${optionsOf(word, command)}`;
  const second = below.map((one) => `                ${optionsOf(one.word, one.command)}`);
  return `        ${word})
            if ((COMP_CWORD == 2)); then
                options='${below.map((one) => one.word).join(" ")}'
            else
                case \${COMP_WORDS[2]} in
${second.join("")}                *) return ;;
                esac
            fi
            ;;
`;
}

function optionsOf(word: string, { options, argument }: DescribedCommand): string {
  const value = argument && valueOfArgument(argument.name);
  const kind = value?.kind;
  const words = [...(value?.kind === "one-of" ? value.words : []), ...options.map(({ flag }) => flag), "--help"];
  return `${word}) options='${words.join(" ")}'${kind === "file" || kind === "folder" ? ` argument=${kind}` : ""} ;;\n`;
}

/** Offers a command's arguments, or its options. */
function argumentsOf(commands: readonly DescribedCommand[], name: string): string {
  const places = placesAfter(commands);
  const words = 'mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")\n';
  if (places.length === 0) return `        ${words}`;
  const tried = places
    .map((kind, at) => {
      const test = `        ${at === 0 ? "if" : "elif"} [[ $argument == ${kind} && $current != -* ]]; then\n`;
      return `${test}            ${name}_files ${kind === "file" ? "-f" : "-d"} "$current"\n`;
    })
    .join("");
  return `${tried}        else
            ${words}        fi
`;
}

function placesAfter(commands: readonly DescribedCommand[]): readonly ("file" | "folder")[] {
  const kinds = new Set(commands.flatMap(({ argument }) => (argument === undefined ? [] : valueOfArgument(argument.name).kind)));
  return [...kinds].filter((kind) => kind === "file" || kind === "folder");
}

/** What to offer after a flag of a command. A flag with two forms has two entries. */
type Taking = { readonly command: string; readonly flag: string; readonly offer: string };

/** Offers values for options. Most options take the same value in every command. */
function valuesOf(commands: readonly DescribedCommand[], name: string): string {
  const options = commands.flatMap((command) => command.options);
  // Leaves out a short form that another command uses for an option without a value.
  const unclear = options.filter(({ value }) => value === undefined).map(({ short }) => short);
  const all = commands.flatMap((command) =>
    command.options.flatMap((option): readonly Taking[] =>
      option.value === undefined
        ? []
        : [
            {
              command: command.name,
              flag: unclear.includes(option.short) ? option.flag : forms(option),
              offer: offered(valueOf(option), name),
            },
          ],
    ),
  );
  const flags = [...Map.groupBy(all, ({ flag }) => flag)].map(([flag, those]) => ({ flag, offers: offersOf(those) }));
  return [...Map.groupBy(flags, ({ offers }) => offers)]
    .map(([offers, those]) => `    ${those.map(({ flag }) => flag).join(" | ")})\n${offers}        ;;\n`)
    .join("");
}

function forms({ flag, short }: DescribedOption): string {
  return short === undefined ? flag : `${flag} | ${short}`;
}

/** Lists offers by command if they differ. The most common one comes last. */
function offersOf(those: readonly Taking[]): string {
  const byOffer = [...Map.groupBy(those, ({ offer }) => offer)].toSorted(([, one], [, other]) => one.length - other.length);
  const [usual = "", ...rest] = byOffer.map(([offer]) => offer).toReversed();
  if (rest.length === 0) return usual;
  const cases = byOffer.slice(0, -1).map(([offer, taking]) => {
    const words = taking.map(({ command }) => (command.includes(" ") ? `'${command}'` : `'${command} '*`));
    return `        ${words.join(" | ")})\n${indented(offer)}            ;;\n`;
  });
  return `        case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${cases.join("")}        *)
${indented(usual)}            ;;
        esac
`;
}

function indented(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, "    ");
}

function offered(value: Value, name: string): string {
  switch (value.kind) {
    case "one-of":
      return `        mapfile -t COMPREPLY < <(compgen -W '${value.words.join(" ")}' -- "$current")\n`;
    case "folder":
      return `        ${name}_files -d "$current"\n`;
    case "file":
      return `        ${name}_files -f "$current"\n`;
    case "user":
      return `        mapfile -t COMPREPLY < <(compgen -u -- "$current")\n`;
    case "anything":
      return "";
  }
}
