/** Which failures count against a version: these always, and these if the agent was well just before. */
export type Blame<Code extends string> = { readonly always: readonly Code[]; readonly ifItWasWell: readonly Code[] };

export function isBlamed<Code extends string>(
  code: Code,
  { always, ifItWasWell }: Blame<NoInfer<Code>>,
  before: "well" | "not known to be well",
): boolean {
  return always.includes(code) || (before === "well" && ifItWasWell.includes(code));
}
