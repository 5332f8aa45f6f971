import type { DescribedCommand } from "../commands.ts";
import { programOptions, valueOf, valueOfArgument, type Value } from "./value.ts";

/** Understands what readline hands over by itself: the functions of the package bash-completion need not be there. */
export function bashCompletion(commands: readonly DescribedCommand[]): string {
  const first = [...commands.map(({ name }) => name), ...programOptions.map(([flag]) => flag)];
  return `# bash completion for svc-upgrade                          -*- shell-script -*-

_svc_upgrade_files() {
    # Readline then shows last names alone, and quotes them.
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

_svc_upgrade() {
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
${commands.map(optionsOf).join("")}        *) return ;;
        esac
    fi

    COMPREPLY=()
    case $previous in
${valuesOf(commands)}    *)
        if [[ $argument == file && $current != -* ]]; then
            _svc_upgrade_files -f "$current"
        else
            mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        fi
        ;;
    esac
} && complete -F _svc_upgrade svc-upgrade
`;
}

function optionsOf({ name, options, argument }: DescribedCommand): string {
  const flags = [...options.map(({ flag }) => flag), "--help"].join(" ");
  const takesFile = argument !== undefined && valueOfArgument(argument.name).kind === "file";
  return `        ${name}) options='${flags}'${takesFile ? " argument=file" : ""} ;;\n`;
}

/** An option takes the same value wherever it is. */
function valuesOf(commands: readonly DescribedCommand[]): string {
  const options = commands.flatMap((command) => command.options).filter(({ value }) => value !== undefined);
  const flagsByOffer = Map.groupBy(options, (option) => offered(valueOf(option)));
  return [...flagsByOffer]
    .map(([offer, offering]) => {
      const flags = [...new Set(offering.map(({ flag }) => flag))];
      return `    ${flags.join(" | ")})\n${offer}        ;;\n`;
    })
    .join("");
}

function offered(value: Value): string {
  switch (value.kind) {
    case "one-of":
      return `        mapfile -t COMPREPLY < <(compgen -W '${value.words.join(" ")}' -- "$current")\n`;
    case "folder":
      return `        _svc_upgrade_files -d "$current"\n`;
    case "file":
      return `        _svc_upgrade_files -f "$current"\n`;
    case "user":
      return `        mapfile -t COMPREPLY < <(compgen -u -- "$current")\n`;
    case "anything":
      return "";
  }
}
