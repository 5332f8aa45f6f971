import { kinds, type Of } from "../shape/shape.ts";
import { served } from "./answer.ts";

/** Why an answer that says "critical" does not count by itself. An unknown reason of a later release reads as `disagreeing`. */
export const doubt = kinds(
  {
    /** The server never names its version, but all its answers in this pass agreed. */
    unnamed: {},
    /** The answer named another version than the served one. */
    another: { named: served },
    /** Two answers of this pass disagreed. */
    disagreeing: {},
  },
  [{ kind: "disagreeing" }],
);
export type CriticalDoubt = Of<typeof doubt>;
