import { Fault } from "../../rules/fault/fault.ts";
import { mostRows } from "../storage/port.ts";

/** 0 stands for the most. The store reads `mostRows` at once, one of them only to know whether another page follows. */
export function readPageSize(asked: number, most: number = mostRows - 1): number {
  if (asked === 0) return most;
  if (asked > 0) return Math.min(asked, most);
  throw new Fault("request-refused", { message: `a page cannot have ${asked} rows`, hint: `ask for 1 to ${most}` });
}
