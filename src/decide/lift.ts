/** What ends a stay. */
export type Lift =
  | "a version is served"
  | "another version is served"
  | "retry"
  | "end the hold"
  | "allow downgrades"
  | "allow majors"
  | "roll back"
  | "run now"
  | "set the clock"
  | "another artifact"
  | "a schedule";
