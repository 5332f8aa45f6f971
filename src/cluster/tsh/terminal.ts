import { closeSync, constants, openSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";

/** What a person typed at a prompt. */
export type Typed =
  | { readonly kind: "line"; readonly text: string }
  /** Ctrl-C, a signal or the loss of the terminal ended the input. */
  | { readonly kind: "stopped" };

/** The person's terminal, even if standard input and output are redirected. */
export type Terminal = {
  readonly write: (text: string) => void;
  /** Prints the prompt, and reads a line without showing it. */
  readonly askHidden: (prompt: string) => Promise<Typed>;
  /** Restores the terminal. */
  readonly close: () => void;
};

const path = "/dev/tty";
/** Longer than any password. The rest of a longer line is ignored. */
const mostCharacters = 1024;

/** Undefined if there is no terminal. */
export function openTerminal(stopping: AbortSignal): Terminal | undefined {
  let input: ReadStream;
  let output: number;
  try {
    input = new ReadStream(openSync(path, constants.O_RDWR | constants.O_NOCTTY));
    output = openSync(path, constants.O_WRONLY | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
  // Hides all input, even between two prompts. Ctrl-C arrives as a character.
  input.setRawMode(true);
  input.setEncoding("utf8");
  let typed = "";
  let isOver = stopping.aborted;
  let wake: () => void = () => undefined;
  const end = (): void => {
    isOver = true;
    wake();
  };
  input.on("data", (text: string) => {
    typed += text;
    wake();
  });
  input.on("error", end);
  input.on("end", end);
  stopping.addEventListener("abort", end, { once: true });
  const write = (text: string): void => {
    try {
      writeSync(output, text);
    } catch {
      end();
    }
  };
  return {
    write,
    askHidden: async (prompt) => {
      write(prompt);
      let line = "";
      for (;;) {
        const read = readTyped(line, typed);
        [line, typed] = [read.line, read.rest];
        if (read.isStopped || (isOver && !read.isWhole)) {
          write("\n");
          return { kind: "stopped" };
        }
        if (read.isWhole) {
          write("\n");
          return { kind: "line", text: line };
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    close: () => {
      stopping.removeEventListener("abort", end);
      if (!input.destroyed) input.setRawMode(false);
      input.destroy();
      closeSync(output);
    },
  };
}

type Reading = { readonly line: string; readonly rest: string; readonly isWhole: boolean; readonly isStopped: boolean };

/** Handles the terminal's own keys: erase, kill line, interrupt and end of input. Other special keys do nothing. */
export function readTyped(before: string, typed: string): Reading {
  let line = before;
  // oxlint-disable-next-line no-control-regex -- what arrow keys and their like send
  const rest = typed.replaceAll(/\u001b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])/g, "");
  for (const [at, character] of Array.from(rest).entries()) {
    const left = (): string =>
      Array.from(rest)
        .slice(at + 1)
        .join("");
    switch (character) {
      case "\r":
      case "\n":
        return { line, rest: left(), isWhole: true, isStopped: false };
      case "\u0003":
        return { line: "", rest: "", isWhole: false, isStopped: true };
      case "\u0004":
        if (line === "") return { line, rest: "", isWhole: false, isStopped: true };
        break;
      case "\b":
      case "\u007f":
        line = Array.from(line).slice(0, -1).join("");
        break;
      case "\u0015":
        line = "";
        break;
      default:
        if (!/\p{C}/u.test(character) && line.length < mostCharacters) line += character;
    }
  }
  return { line, rest: "", isWhole: false, isStopped: false };
}
