import type { DescribedCommand } from "../commands.ts";
import type { Completed } from "./completed.ts";
import { programOptions, valueOf, valueOfArgument, type Value } from "./value.ts";
import { firstWords, type FirstWord } from "./words.ts";

/** Understands what readline hands over by itself: the functions of the package bash-completion need not be there. */
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

    local options argument=none
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
${argumentsOf(commands, name)}        else
            mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        fi
        ;;
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
  const flags = [...options.map(({ flag }) => flag), "--help"].join(" ");
  const kind = argument && valueOfArgument(argument.name).kind;
  return `${word}) options='${flags}'${kind === "file" || kind === "folder" ? ` argument=${kind}` : ""} ;;\n`;
}

/** What stands after a command without a hyphen, where that is a place. */
function argumentsOf(commands: readonly DescribedCommand[], name: string): string {
  const kinds = new Set(commands.flatMap(({ argument }) => (argument === undefined ? [] : valueOfArgument(argument.name).kind)));
  const places = [...kinds].filter((kind) => kind === "file" || kind === "folder");
  return places
    .map((kind, at) => {
      const test = `        ${at === 0 ? "if" : "elif"} [[ $argument == ${kind} && $current != -* ]]; then\n`;
      return `${test}            ${name}_files ${kind === "file" ? "-f" : "-d"} "$current"\n`;
    })
    .join("");
}

/** An option takes the same value wherever it is. */
function valuesOf(commands: readonly DescribedCommand[], name: string): string {
  const options = commands.flatMap((command) => command.options).filter(({ value }) => value !== undefined);
  const flagsByOffer = Map.groupBy(options, (option) => offered(valueOf(option), name));
  return [...flagsByOffer]
    .map(([offer, offering]) => {
      const flags = [...new Set(offering.map(({ flag }) => flag))];
      return `    ${flags.join(" | ")})\n${offer}        ;;\n`;
    })
    .join("");
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
