/** A reason to stay, for the documents. */
export type StayRow = {
  /** Its row in ARCHITECTURE's gate table. */
  readonly gate: number;
  readonly meaning: string;
  /** What ends the stay: time, or somebody's action. */
  readonly ends: string;
  /** "somebody": no host of a healthy fleet has this reason. */
  readonly concerns: "nobody" | "somebody";
};

export type MoveRow = { readonly gate: number; readonly meaning: string };
