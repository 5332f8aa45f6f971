import { quote } from "../../../rules/text/quote.ts";

/** More relations would explain no more. */
const mostRelations = 4;
/** Enough for one sentence of apt's with two packages and two versions. */
const longestRelation = 200;
/** Enough: the solver explains itself in a few lines. */
const longestExplanation = 400;

const kind = "(?:Pre-?)?Depends|Conflicts|Breaks|Obsoletes";
/** ` svc-ent : Conflicts: bystander but 1.0 is to be installed`. Further relations of the same package are only indented. */
const relation = new RegExp(`^ (?:\\S+ :| {4,})\\s+(?:${kind}): `);
const explanation = /^(?:E:| {2}) Unable to satisfy dependencies\. Reached two conflicting \w+:$/;

/** What prevents a plan: the unmet relations, or else the explanation by apt 3's solver. */
export function culpritsIn(output: string): string | undefined {
  const lines = output.split("\n");
  const relations = lines.filter((line) => relation.test(line)).slice(0, mostRelations);
  return relations.length > 0 ? relations.map((line) => quote(line, longestRelation)).join("; ") : explanationIn(lines);
}

function explanationIn(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => explanation.test(line));
  if (at === -1) return undefined;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !/^ {3,}\S/.test(line));
  const said = (end === -1 ? rest : rest.slice(0, end))
    .map((line) => line.trim().replace(/^\d+\. /, ""))
    // Leaves out the list of versions to choose from, which may be long.
    .filter((line) => !line.startsWith("["));
  return said.length === 0 ? undefined : quote(sentence(said), longestExplanation);
}

function sentence(lines: readonly string[]): string {
  return lines.join("; ").replaceAll(":; ", ": ").replaceAll("; but ", " but ").replace(/:$/, "");
}
