import type { Log } from "../../machine/logging/log.ts";
import type { SharedOptions } from "./options.ts";
import type { Surroundings } from "./surroundings.ts";

export type CommandContext = { readonly surroundings: Surroundings; readonly log: Log };

/** What a command gets: its context, and the options that every command understands. */
export type Called = { readonly options: SharedOptions; readonly context: CommandContext };
