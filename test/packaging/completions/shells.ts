import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bashCompletion } from "../../../packaging/completions/bash.ts";
import { fishCompletion } from "../../../packaging/completions/fish.ts";
import { zshCompletion } from "../../../packaging/completions/zsh.ts";
import type { Called } from "../../../packaging/product.ts";

/** A real shell with the completion of a program as it is shipped. */
export type Shell = {
  readonly name: "bash" | "zsh" | "fish";
  /** Reads a file and runs nothing of it. */
  readonly checks: readonly string[];
  readonly script: () => string;
  /** What it offers at the end of a line, as it tells it. */
  readonly offers: (line: string, place: string) => readonly string[];
};

const bash = (called: Called): Shell => ({
  name: "bash",
  checks: ["bash", "-n"],
  script: () => bashCompletion(called),
  offers(line, place) {
    const file = written(place, `${called.program}.bash`, this.script());
    // Readline takes a line apart at blanks and at equals signs.
    const words = line.split(" ").flatMap((word) => word.split(/(=)/).filter((part, at) => part !== "" || at === 0));
    const completes = `_${called.program.replaceAll("-", "_")}`;
    const asks = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); ${completes}; printf "%s\\n" "\${COMPREPLY[@]}"`;
    return lines(run(["bash", "--norc", "-c", asks, file, ...words], place));
  },
});

/** Completion works in a terminal alone: this runs an interactive shell in one, and sends it the line and a tab. */
const inTerminal = `zmodload zsh/zpty
zpty shell zsh -i
zpty -r shell said '*ready> *'
zpty -w -n shell "$1"$'\\t'
while zpty -r shell said; do done
`;

const zshrc = `PS1='ready> '
fpath=($ZDOTDIR $fpath)
autoload -Uz compinit
compinit -u -d $ZDOTDIR/dump
compadd() {
  # With these it only sorts what it was given.
  if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
    local -a matches
    builtin compadd -O matches "$@"
    print -rl -- $matches >>$ZDOTDIR/matches
  fi
  builtin compadd "$@"
}
finish() { exit }
comppostfuncs=(finish)
`;

const zsh = (called: Called): Shell => ({
  name: "zsh",
  checks: ["zsh", "-n"],
  script: () => zshCompletion(called),
  offers(line, place) {
    written(place, `_${called.program}`, this.script());
    written(place, ".zshrc", zshrc);
    const script = written(place, "in-terminal.zsh", inTerminal);
    rmSync(join(place, "matches"), { force: true });
    run(["zsh", "-f", script, line], place);
    // What is a folder is added in two ways.
    return [...new Set(lines(readFileSync(written(place, "matches"), "utf8")))];
  },
});

const fish = (called: Called): Shell => ({
  name: "fish",
  checks: ["fish", "--no-execute"],
  script: () => fishCompletion(called),
  offers(line, place) {
    written(place, `fish/completions/${called.program}.fish`, this.script());
    return lines(run(["fish", "-c", "complete -C $argv[1]", line], place)).map((offer) => offer.replace(/\t.*/, ""));
  },
});

export const shellNames: readonly Shell["name"][] = ["bash", "zsh", "fish"];

export function shellsFor(called: Called): readonly Shell[] {
  return [bash(called), zsh(called), fish(called)];
}

export function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

/** Without a text the file is only made to be there. */
function written(place: string, name: string, text?: string): string {
  const file = join(place, name);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text ?? "", { flag: text === undefined ? "a" : "w" });
  return file;
}

/** In a home of its own. Fish and zsh look for a program before they complete for it. */
function run([program = "", ...rest]: readonly string[], place: string): string {
  for (const name of ["svc-upgrade", "svc-proxy", "svc-kube-updater", "svc", "tctl", "tsh", "sudo"])
    chmodSync(written(place, `bin/${name}`, "#!/bin/sh\n"), 0o755);
  const env = { PATH: `${place}/bin:${process.env["PATH"]}`, HOME: place, ZDOTDIR: place, XDG_CONFIG_HOME: place, TERM: "dumb" };
  return execFileSync(program, rest, { cwd: "/", encoding: "utf8", env, stdio: ["ignore", "pipe", "inherit"], timeout: 30_000 });
}

function lines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}
