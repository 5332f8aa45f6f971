/** What ends a stay. */
export type Lift =
  | "a version is served"
  | "auth answers"
  | "another version is served"
  | "retry"
  | "end the hold"
  | "unpin"
  | "allow downgrades"
  | "allow majors"
  | "roll back"
  | "run now"
  | "set the clock"
  | "another artifact"
  | "another artifact of the pin"
  | "a schedule";
