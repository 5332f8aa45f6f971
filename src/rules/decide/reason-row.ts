/** A reason as documents tell it. */
export type StayRow = {
  /** The row of ARCHITECTURE's gate table that gives it. */
  readonly gate: number;
  readonly meaning: string;
  /** What ends it: by itself, or by what somebody does. */
  readonly ends: string;
  /** "somebody": a fleet in good order has none of these. */
  readonly concerns: "nobody" | "somebody";
};

export type MoveRow = { readonly gate: number; readonly meaning: string };
