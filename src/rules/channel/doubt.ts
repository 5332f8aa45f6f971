import { kinds, type Of } from "../shape/shape.ts";
import { served } from "./answer.ts";

/** Why a yes to critical does not count by itself. Whatever doubt a later release has, it is one. */
export const doubt = kinds(
  {
    /** The server says nowhere which version it speaks of; all that it was asked in this pass agreed. */
    unnamed: {},
    /** It spoke of another version than the one that is served. */
    another: { named: served },
    /** What it was asked twice in this pass it answered differently. */
    disagreeing: {},
  },
  [{ kind: "disagreeing" }],
);
export type CriticalDoubt = Of<typeof doubt>;
