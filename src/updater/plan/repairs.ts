import type { Version } from "../../rules/version/version.ts";
import type { Repairs } from "./host-facts.ts";

/** What did not help twice does not help a third time. */
const mostRepairs = 2;

/** Whether the installed version was repaired in vain as often as makes sense. */
export function isHopeless(repairs: Repairs | undefined, installed: Version): repairs is Repairs {
  return repairs !== undefined && repairs.to === installed && repairs.attempts >= mostRepairs;
}
