import { withoutQuestions } from "./questions.ts";

/** What zypper would do, from a simulation, by package name. */
export type ZypperPlan = {
  readonly removed: readonly string[];
  /** New on this host. zypper follows only requirements, so something in the plan requires each of these. */
  readonly added: readonly string[];
  /** Already installed, in any version, architecture or from any vendor. */
  readonly changed: readonly string[];
  /** Packages that would come from another vendor than before. */
  readonly revended: readonly string[];
  /** Packages with a licence to accept. */
  readonly licensed: readonly string[];
};

/** `The following 2 NEW packages are going to be installed:`; other sentences say what will not happen. */
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
    // All other headings, also those that later versions of zypper add.
    changed: named(...blocks.map(({ going }) => going).filter((going) => !known.includes(going))),
    revended: named("change vendor"),
    licensed: [...output.matchAll(/^Automatically agreeing with (\S+) package license\.$/gm)].flatMap(([, name = ""]) => name),
  };
}

/** The versions that `--details` prints for installed or changed packages, below or after the name: `15.4.5-1 -> 15.4.6-1`. */
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

/** A heading and the lines below it, up to an empty line; a line of blanks only ends one package's part. */
function blocksIn(lines: readonly string[]): readonly Block[] {
  return lines.flatMap((line, at) => {
    const going = heading.exec(line)?.[1];
    if (going === undefined) return [];
    const end = lines.findIndex((other, place) => place > at && other === "");
    return [{ going, lines: lines.slice(at + 1, end < 0 ? lines.length : end) }];
  });
}

/**
 * Bare names are indented, several to a line. With details each package has its own row; if the screen's width is unknown, the name is at
 * the margin and the rest below it.
 */
function namesIn({ going, lines }: Block): readonly string[] {
  const atMargin = lines.filter((line) => /^\S/.test(line));
  const rows = atMargin.length > 0 ? atMargin : lines;
  const most = going.startsWith("change ") ? 1 : undefined;
  return rows.flatMap((row) => row.trim().split(/\s+/).slice(0, most));
}
