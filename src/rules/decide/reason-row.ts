/** A reason for the documents. */
export type StayRow = {
  /** Its row in ARCHITECTURE's gate table. */
  readonly gate: number;
  readonly meaning: string;
  /** What ends the stay: time, or somebody's action. */
  readonly ends: string;
  /** "somebody": a fleet in good order has no host with this reason. */
  readonly concerns: "nobody" | "somebody";
};

export type MoveRow = { readonly gate: number; readonly meaning: string };
