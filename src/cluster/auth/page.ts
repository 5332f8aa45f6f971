import { ClusterFault } from "../../rules/fault/cluster-fault.ts";
import { mostRows } from "../storage/port.ts";

/**
 * One row more than a page has is read, to know whether another one follows, and the store reads no more than 100 at once. 0 stands
 * for what is ordinary, which is the most.
 */
export function readPageSize(asked: number, most: number = mostRows - 1): number {
  if (asked === 0) return most;
  if (asked > 0) return Math.min(asked, most);
  throw new ClusterFault("request-refused", { message: `a page cannot have ${asked} rows`, hint: `ask for 1 to ${most}` });
}
