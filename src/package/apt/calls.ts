import type { Command } from "../../host/command.ts";
import type { Ended } from "../result.ts";

/** The two ways to call apt: to ask it something, as anybody; and to let it change the host. */
export type AptCalls = {
  readonly ask: (argv: Command["argv"]) => Promise<Ended>;
  readonly act: (argv: Command["argv"], what: string) => Promise<Ended>;
};
