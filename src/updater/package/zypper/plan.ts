import { withoutQuestions } from "./questions.ts";

/** What a simulation says zypper would do, by the names of the packages. */
export type ZypperPlan = {
  readonly removed: readonly string[];
  /** They were not on this host before. With nothing but requirements followed, something in the plan requires each. */
  readonly added: readonly string[];
  /** They were, in whatever version, architecture or from whatever vendor. */
  readonly changed: readonly string[];
  /** They would come from another vendor than before. */
  readonly revended: readonly string[];
  /** Those with a licence that has to be agreed to. */
  readonly licensed: readonly string[];
};

/** `The following 2 NEW packages are going to be installed:`; what is not going to happen is told in other words. */
const heading = /^The following .* (?:is|are) going to (.*):$/;

export function parsePlan(printed: string): ZypperPlan {
  const output = withoutQuestions(printed);
  const blocks = blocksIn(output.split("\n"));
  const named = (...fates: readonly string[]): readonly string[] => [
    ...new Set(blocks.filter(({ going }) => fates.includes(going)).flatMap(namesIn)),
  ];
  const known = ["be REMOVED", "be installed"];
  return {
    removed: named("be REMOVED"),
    added: named("be installed"),
    // Of all kinds, the ones that later versions may bring too.
    changed: named(...blocks.map(({ going }) => going).filter((going) => !known.includes(going))),
    revended: named("change vendor"),
    licensed: [...output.matchAll(/^Automatically agreeing with (\S+) package license\.$/gm)].flatMap(([, name = ""]) => name),
  };
}

/** What `--details` tell of each package that is installed or changed: below its name, or behind it, `15.4.5-1 -> 15.4.6-1`. */
export function versionsIn(printed: string): ReadonlyMap<string, string> {
  const blocks = blocksIn(withoutQuestions(printed).split("\n")).filter(({ going }) => going !== "be REMOVED");
  const rows = blocks.flatMap(({ lines }) => {
    const isBelow = lines.some((line) => /^\S/.test(line));
    return lines.join("\n").split(isBelow ? /\n(?=\S)/ : "\n");
  });
  return new Map(
    rows.flatMap((row) => {
      const [, name, version = ""] = /^\s*(\S+)\s+(?:\S+ -> )?(\S+)/.exec(row) ?? [];
      return name === undefined ? [] : [[name, version] as const];
    }),
  );
}

type Block = { readonly going: string; readonly lines: readonly string[] };

/** A heading, and what stands below it up to an empty line: one of blanks only ends what is told of one package. */
function blocksIn(lines: readonly string[]): readonly Block[] {
  return lines.flatMap((line, at) => {
    const going = heading.exec(line)?.[1];
    if (going === undefined) return [];
    const end = lines.findIndex((other, place) => place > at && other === "");
    return [{ going, lines: lines.slice(at + 1, end < 0 ? lines.length : end) }];
  });
}

/**
 * Names alone are indented, several to a line. Where more is told of each, it is a row of its own; and where no width is known
 * for a row, the name stands at the margin and the rest below it.
 */
function namesIn({ going, lines }: Block): readonly string[] {
  const atMargin = lines.filter((line) => /^\S/.test(line));
  const rows = atMargin.length > 0 ? atMargin : lines;
  const most = going.startsWith("change ") ? 1 : undefined;
  return rows.flatMap((row) => row.trim().split(/\s+/).slice(0, most));
}
