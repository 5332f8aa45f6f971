import type { Log } from "../../machine/logging/log.ts";
import type { Surroundings } from "./surroundings.ts";

/** What a command works with, whatever it is. */
export type CommandContext = { readonly surroundings: Surroundings; readonly log: Log };
