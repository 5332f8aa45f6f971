import type { Mutant } from "./mutate.ts";

/** A change that nobody could notice, and why. */
export type Equivalent = Pick<Mutant, "file" | "within" | "was" | "becomes"> & { readonly why: string };

type Row = readonly [within: string, was: string, becomes: string, why: string];

/** At most one of twenty in a room. One that no longer stands in its file is refused: the code has moved on. */
export const equivalent: readonly Equivalent[] = [
  ...of("src/plan/may-still-begin.ts", [
    [
      "if (until !== undefined && now > until) {",
      "until !== undefined && now > until",
      "now > until",
      "nothing is greater than undefined",
    ],
  ]),
  ...of("src/plan/recovery.ts", [
    [
      "const back = from !== undefined && atHand.includes(from) ? from : undefined;",
      "from !== undefined && atHand.includes(from)",
      "atHand.includes(from)",
      "undefined is never at hand",
    ],
    [
      'const forth = course === "forth" && to !== undefined && atHand.includes(to) ? to : undefined;',
      'course === "forth" && to !== undefined',
      'course === "forth"',
      "undefined is never at hand",
    ],
  ]),
  ...of("src/plan/target.ts", [
    [
      'return target.kind === "repair" && target.from === target.to;',
      'target.kind === "repair" && target.from === target.to',
      "target.from === target.to",
      "nothing else goes where it comes from",
    ],
    [
      'if (installed.kind === "present" && installed.version === undefined && installed.condition === "whole") {',
      'installed.kind === "present" && installed.version === undefined',
      "installed.version === undefined",
      "what is absent is not whole",
    ],
  ]),
  ...of("src/decide/served.ts", [
    [
      'return order < 0 ? { kind: "upgrade", from, to } : { kind: "downgrade", from, to };',
      "order < 0",
      "order <= 0",
      "an order of 0 has been dealt with before",
    ],
  ]),
  ...of("src/decide/alternating-gate.ts", [
    [
      "if (installed !== undefined && rejected.some((row) => row.artifact === installed)) return undefined;",
      "installed !== undefined && rejected.some((row) => row.artifact === installed)",
      "rejected.some((row) => row.artifact === installed)",
      "what was rejected has an artifact",
    ],
    [
      "if (previous !== undefined && leftUntil !== undefined && previous.leftAt <= now && now < leftUntil) {",
      "previous !== undefined && leftUntil !== undefined",
      "previous !== undefined",
      "nothing is less than undefined",
    ],
  ]),
  ...of("src/plan/gate-facts.ts", [
    ['case "never":', '"never"', '"schedule-missing"', "the case names what never comes that far, for the compiler"],
  ]),
  ...of("src/decide/backoff.ts", [
    ["const mostDoublings = 6;", "6", "7", "the longest wait is reached by six already; more only keeps the number small"],
  ]),
  ...of("src/plan/permit.ts", [
    [
      "const order = from === undefined ? 0 : compareVersions(from, to);",
      "0",
      "1",
      "without a version before, the order is not asked for",
    ],
    ['return { kind: order < 0 ? "upgrade" : "downgrade", from, to };', "0", "1", "an order of 0 has been dealt with before"],
    ['agent: isIll ? "unhealthy" : "unknown",', '"unknown"', '"absent"', "the gates ask only whether the agent is unhealthy"],
    ['clock: { kind: "plausible" },', '"plausible"', '"not-asked"', "the gates ask only whether the clock is wrong"],
    ['binary: { kind: "not-asked" },', '"not-asked"', '"unhealthy"', "without memory no gate asks what of the package is broken"],
    [
      "memory: { ...noMemory, unhealthyPasses: isIll ? unhealthyPassesForRescue : 0 },",
      "0",
      "1",
      "one is as good as none, and counts for an ill agent alone",
    ],
  ]),
  ...of("src/pass/carry-out.ts", [
    [
      'side === "to" ? ({ kind: "not-asked" } as const) : ports.askBinary(),',
      '"not-asked"',
      '"running"',
      "whatever is no answer of a binary is no complaint of it",
    ],
    [
      'const left = journal.inHand().to ?? "a failed move";',
      'journal.inHand().to ?? "a failed move"',
      "journal.inHand().to",
      "what is taken back was going somewhere: the compiler wants to hear it",
    ],
  ]),
  ...of("src/pass/rollback.ts", [
    [
      "if (from !== undefined && atHand(from, changing) !== undefined) return restore(from, changing);",
      "from !== undefined && atHand(from, changing) !== undefined",
      "atHand(from, changing) !== undefined",
      "undefined is never at hand",
    ],
  ]),
  ...of("src/pass/companions.ts", [
    [
      'return companions.map((companion, at) => ({ ...companion, found: found[at] ?? { kind: "absent" } }));',
      'found[at] ?? { kind: "absent" }',
      "found[at]",
      "an answer comes for each name: the compiler wants to hear it",
    ],
    [
      'return companions.map((companion, at) => ({ ...companion, found: found[at] ?? { kind: "absent" } }));',
      '"absent"',
      '"value"',
      "an answer comes for each name: the compiler wants to hear it",
    ],
  ]),
  ...of("src/pass/look-again.ts", [
    [
      'if (decision.kind !== "stay" || decision.why !== "rejected" || stopping.aborted) return known;',
      'decision.kind !== "stay" || decision.why !== "rejected"',
      'decision.why !== "rejected"',
      "nothing moves, or stops, for having been rejected",
    ],
  ]),
  ...of("src/pass/observe.ts", [
    [
      "return offers.find((offer) => offer === exactly) ?? offers.find((offer) => isOfVersion(offer, wanted));",
      "offers.find((offer) => offer === exactly)",
      "offers.findLast((offer) => offer === exactly)",
      "the first of two that are equal is the last as well",
    ],
    [
      'if (served.kind !== "version" || !state.rejected.some((row) => row.served === served.version)) return undefined;',
      'served.kind !== "version" || !state.rejected.some((row) => row.served === served.version)',
      "!state.rejected.some((row) => row.served === served.version)",
      "what was rejected has a version",
    ],
  ]),
  ...of("src/pass/conduct.ts", [
    [
      'const merged = mergeSettings([{ origin: { kind: "file", path: begunSettings }, values }]);',
      '"file"',
      '"faults"',
      "where they come from is said in faults alone, which are dropped",
    ],
  ]),
  ...of("src/pass/ask.ts", [
    ["const usualPatienceMs = 240_000;", "240_000", "239999", "nobody waits for four minutes less a thousandth"],
    ["const usualPatienceMs = 240_000;", "240_000", "240001", "nobody waits for four minutes and a thousandth"],
    ["const betweenTriesMs = 500;", "500", "499", "a thousandth of a second more or less is in every wait"],
    ["const betweenTriesMs = 500;", "500", "501", "a thousandth of a second more or less is in every wait"],
  ]),
  ...of("src/pass/apply.ts", [
    ['step: "refresh" as const,', '"refresh"', '"none"', "the first step that begins takes its place before anybody sees it"],
  ]),
  ...of("src/package/apt/done.ts", [
    [
      'return one?.kind === "present" && one.packageVersion === version && one.condition === "whole";',
      'one?.kind === "present" && one.packageVersion === version',
      "one.packageVersion === version",
      "the compiler wants to hear it: what is absent has neither condition, version nor hold",
    ],
  ]),
  ...of("src/package/apt/refuse-files.ts", [
    [
      'return one?.kind === "present" && one.isHeld && !(name === change.name && change.hold === "lifted");',
      'one?.kind === "present" && one.isHeld',
      "one.isHeld",
      "the compiler wants to hear it: what is absent has neither condition, version nor hold",
    ],
  ]),
  ...of("src/package/apt/simulate.ts", [
    [
      'return one?.kind === "present" && one.isHeld;',
      'one?.kind === "present" && one.isHeld',
      "one.isHeld",
      "the compiler wants to hear it: what is absent has neither condition, version nor hold",
    ],
  ]),
  ...of("src/package/apt/named.ts", [
    [
      'return one?.kind === "present" && one.condition === "half-way" ? [{ name, version: one.packageVersion }] : [];',
      'one?.kind === "present" && one.condition === "half-way"',
      'one.condition === "half-way"',
      "the compiler wants to hear it: what is absent has neither condition, version nor hold",
    ],
  ]),
  ...of("src/package/beside.ts", [
    [
      'const isBroken = found.some((one) => one.kind === "present" && one.condition === "half-way");',
      'one.kind === "present" && one.condition === "half-way"',
      'one.condition === "half-way"',
      "the compiler wants to hear it: what is absent has neither condition, version nor hold",
    ],
  ]),
  ...of("src/package/detect.ts", [
    [
      "const manager = managers.find((candidate) => candidate.name === setting);",
      "managers.find((candidate) => candidate.name === setting)",
      "managers.findLast((candidate) => candidate.name === setting)",
      "there is one of it at most",
    ],
  ]),
  ...of("src/package/apt/installed.ts", [
    [
      "const present = rows.find(isPresent);",
      "rows.find(isPresent)",
      "rows.findLast(isPresent)",
      "dpkg has the same version of a package in all its architectures",
    ],
    [
      "const present = rowsOf(answer).find(isPresent);",
      "rowsOf(answer).find(isPresent)",
      "rowsOf(answer).findLast(isPresent)",
      "dpkg has the same version of a package in all its architectures",
    ],
  ]),
  ...of("src/package/apt/offered-file.ts", [
    [
      'const found = planned.find((one) => one.name.replace(/:.*$/, "") === name && one.version === version);',
      'planned.find((one) => one.name.replace(/:.*$/, "") === name && one.version === version)',
      'planned.findLast((one) => one.name.replace(/:.*$/, "") === name && one.version === version)',
      "there is one of it at most",
    ],
  ]),
  ...of("src/package/apt/in-order.ts", [
    ["const [first = files[0], ...others] = ordered;", "0", "1", "none is lost in between: the compiler wants to hear it"],
  ]),
  ...of("src/package/apt/plan.ts", [
    [
      'if (remove !== null) removed.push(bareName(remove[1] ?? ""));',
      'remove[1] ?? ""',
      "remove[1]",
      "the expression has found it: the compiler wants to hear it",
    ],
  ]),
  ...of("src/package/apt/examine/audit.ts", [
    [
      'const packages = troubles.flatMap((trouble) => [...trouble.matchAll(/^ (\\S+)/gm)].map((match) => match[1] ?? ""));',
      'match[1] ?? ""',
      "match[1]",
      "the expression has found it: the compiler wants to hear it",
    ],
  ]),
  ...of("src/package/apt/complaints.ts", [
    [
      "const relation = order === undefined || version === undefined ? undefined : { order: strict[order] ?? order, version };",
      "order === undefined || version === undefined",
      "order === undefined",
      "the expression finds both or neither",
    ],
    [
      "const relation = order === undefined || version === undefined ? undefined : { order: strict[order] ?? order, version };",
      "order === undefined || version === undefined",
      "version === undefined",
      "the expression finds both or neither",
    ],
  ]),
  ...of("src/package/apt/below-root.ts", [
    [
      'const file = join(directory, "apt.conf");',
      '"apt.conf"',
      '"wx"',
      "nobody else sees the name of a file in a private directory",
    ],
  ]),
  ...of("src/package/apt/attempt-dpkg.ts", [
    ['return { kind: "busy", busy };', '"busy"', '"manager-busy"', "whoever waits asks only whether it is done"],
  ]),
  ...of("src/package/apt/routes.ts", [
    [
      "if (!(thrown instanceof Fault)) throw thrown;",
      "throw thrown;",
      "",
      "nothing else is thrown there: one that is would be a fault of ours",
    ],
  ]),
  ...of("src/package/apt/spoilt-lists.ts", [
    [
      'const reading = readFileCapped(`${directory}${release}`, { capBytes, links: "follow" });',
      '"follow"',
      '"read"',
      "whoever reads asks only whether links are refused",
    ],
  ]),
  ...of("src/package/apt/examine/cron-apt.ts", [
    [
      'export const small: ReadLimits = { capBytes: 64 * 1024, links: "follow" };',
      '"follow"',
      '"/etc/cron.d/cron-apt"',
      "whoever reads asks only whether links are refused",
    ],
  ]),
];

function of(file: string, rows: readonly Row[]): readonly Equivalent[] {
  return rows.map(([within, was, becomes, why]) => ({ file, within, was, becomes, why }));
}
