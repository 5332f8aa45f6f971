import type { TshSurroundings } from "./surroundings.ts";

/** Where what is typed comes from; loaded only where somebody is asked. */
export function typingOf(stopping: AbortSignal): Pick<TshSurroundings, "terminal" | "standardInput"> {
  return {
    terminal: async () => (await import("./terminal.ts")).openTerminal(stopping),
    standardInput: async () => (await import("./input-lines.ts")).linesOf(process.stdin),
  };
}
