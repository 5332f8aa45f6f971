import type { TshSurroundings } from "./surroundings.ts";

/** The source of typed input; loaded only if somebody is asked. */
export function typingOf(stopping: AbortSignal): Pick<TshSurroundings, "terminal" | "standardInput"> {
  return {
    terminal: async () => (await import("./terminal.ts")).openTerminal(stopping),
    standardInput: async () => (await import("./input-lines.ts")).linesOf(process.stdin),
  };
}
