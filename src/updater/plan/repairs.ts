import type { Version } from "../../rules/version/version.ts";
import type { Repairs } from "./host-facts.ts";

/** A repair that failed twice fails a third time. */
const mostRepairs = 2;

/** Whether the installed version was repaired in vain often enough. */
export function isHopeless(repairs: Repairs | undefined, installed: Version): repairs is Repairs {
  return repairs !== undefined && repairs.to === installed && repairs.attempts >= mostRepairs;
}
