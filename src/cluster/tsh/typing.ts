import type { TshSurroundings } from "./surroundings.ts";

/** Opens the terminal or standard input. Loads the code for it only when needed. */
export function typingOf(stopping: AbortSignal): Pick<TshSurroundings, "terminal" | "standardInput"> {
  return {
    terminal: async () => (await import("./terminal.ts")).openTerminal(stopping),
    standardInput: async () => (await import("./input-lines.ts")).linesOf(process.stdin),
  };
}
