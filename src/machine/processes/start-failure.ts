import type { CommandResult } from "./command.ts";
import { errnoOf, errnoWords } from "../files/errno.ts";

export function startFailure(program: string, thrown: unknown): Extract<CommandResult, { kind: "not-started" }> {
  return { kind: "not-started", reason: reasonOf(thrown), message: `${program} could not be started: ${errnoWords(thrown)}` };
}

function reasonOf(thrown: unknown): "missing" | "not-executable" | "other" {
  switch (errnoOf(thrown)) {
    case "ENOENT":
      return "missing";
    case "EACCES":
      return "not-executable";
    default:
      return "other";
  }
}
