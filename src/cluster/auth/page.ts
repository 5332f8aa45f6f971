import { ClusterFault } from "../../rules/fault/cluster-fault.ts";
import { mostRows } from "../storage/port.ts";

/** One row more than a page has is read, to know whether another one follows, and the store reads no more than these at once. */
const most: number = mostRows - 1;
const ordinary: number = most;

/** 0 stands for what is ordinary. */
export function readPageSize(asked: number): number {
  if (asked === 0) return ordinary;
  if (asked > 0) return Math.min(asked, most);
  throw new ClusterFault("request-refused", { message: `a page cannot have ${asked} rows`, hint: `ask for 1 to ${most}` });
}
