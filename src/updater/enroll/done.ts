/** One thing that was done or was not needed, in words and for programs. */
export type Done = {
  readonly what: "fragment" | "schedule" | "timer";
  readonly change: "made" | "replaced" | "given" | "enabled" | "none" | "removed" | "returned" | "disabled" | "kept";
  /** The file or the unit. */
  readonly on: string;
  readonly told: string;
};
