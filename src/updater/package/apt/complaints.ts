/** A relation that apt finds unmet: `requirer : Depends: name (= 2) but …`. */
export type Complaint = {
  readonly requirer: string;
  readonly kind: "needs" | "excludes";
  readonly name: string;
  readonly relation: { readonly order: string; readonly version: string } | undefined;
  /** In apt's own words. */
  readonly said: string;
};

const line = /^ (?:(\S+) :| {4,})\s*(?:(?:Pre-?)?(Depends)|Breaks|Conflicts): (\S+)(?: \((<<|<=|=|>=|>>|<|>) (\S+)\))?/;

/** apt writes "<" where control files write "<<"; dpkg reads "<" as "<=". */
const strict: Readonly<Record<string, string>> = { "<": "<<", ">": ">>" };

export function complaintsIn(output: string): readonly Complaint[] {
  const complaints: Complaint[] = [];
  let requirer = "";
  for (const printed of output.split("\n")) {
    const [, named, isNeed, name = "", order, version] = line.exec(printed) ?? [];
    if (name === "") continue;
    requirer = named ?? requirer;
    const relation = order === undefined || version === undefined ? undefined : { order: strict[order] ?? order, version };
    complaints.push({
      requirer: bare(requirer),
      kind: isNeed === undefined ? "excludes" : "needs",
      name: bare(name),
      relation,
      said: printed,
    });
  }
  return complaints;
}

function bare(name: string): string {
  return name.replace(/:.*$/, "");
}
