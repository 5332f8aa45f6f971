import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { beyond, nothing, together } from "../../../src/cluster/access/grant.ts";
import { judge, type Role, type Rule, type Rules } from "../../../src/cluster/access/judge.ts";
import { kinds, tellPermission, verbs } from "../../../src/cluster/access/permission.ts";
import { presets } from "../../../src/cluster/access/presets.ts";

const everyone: Rule = { resources: ["*"], verbs: ["*"] };
/** `*` does not include it. */
const root: Rule = { resources: ["*"], verbs: ["*", "escalate"] };

function rules(allow: readonly Rule[], deny: readonly Rule[] = []): Rules {
  return { allow, deny };
}

function holder(allow: readonly Rule[], deny: readonly Rule[] = []): readonly Role[] {
  return [{ name: "own", allow, deny }];
}

const tokens: Rule = { resources: ["token"], verbs: ["create"] };
const readRoles: Rule = { resources: ["role"], verbs: ["read"] };

describe("may not be handed out", () => {
  test.each([
    ["nothing where nothing changes", holder([]), { before: rules([tokens]), after: rules([tokens]) }, []],
    [
      "what the granter has not",
      holder([readRoles]),
      { before: nothing, after: rules([readRoles, tokens]) },
      ["create on token"],
    ],
    ["nothing of what the granter has", holder([readRoles, tokens]), { before: nothing, after: rules([tokens]) }, []],
    [
      "what was forbidden, by who may not do it",
      holder([readRoles]),
      { before: rules([], [tokens]), after: nothing },
      ["create on token"],
    ],
    ["nothing of what is taken away", holder([]), { before: rules([tokens]), after: nothing }, []],
    ["nothing of what is newly forbidden", holder([]), { before: rules([tokens]), after: rules([tokens], [tokens]) }, []],
    [
      "what the granter is denied",
      holder([everyone], [tokens]),
      { before: nothing, after: rules([tokens]) },
      ["create on token"],
    ],
    [
      "what only a later release knows, by who names all of today's",
      holder([{ resources: Object.keys(kinds), verbs: Object.keys(verbs) }]),
      { before: nothing, after: rules([{ resources: ["token"], verbs: ["*"] }]) },
      ["verbs of later releases on token"],
    ],
    [
      "a word of a later release that the granter is denied, behind a *",
      holder([everyone], [{ resources: ["starship"], verbs: ["create"] }]),
      { before: nothing, after: rules([{ resources: ["*"], verbs: ["create"] }]) },
      ["create on starship"],
    ],
  ] as const)("%s", (_title, granter, grant, told) => {
    expect(beyond(granter, grant).map(tellPermission)).toEqual(told);
  });

  test("a maintenance configuration, by whoever has all the presets", () => {
    const role = rules([{ resources: ["cluster_maintenance_config"], verbs: ["create", "read", "update", "delete"] }]);
    expect(beyond(presets, { before: nothing, after: role })).toHaveLength(4);
  });
});

const word = (known: object): fc.Arbitrary<string> => fc.constantFrom(...Object.keys(known), "*", "starship", "launch");
const rule: fc.Arbitrary<Rule> = fc.record({
  resources: fc.array(word(kinds), { maxLength: 3 }),
  verbs: fc.array(word(verbs), { maxLength: 3 }),
});
const someRules: fc.Arbitrary<Rules> = fc.record({
  allow: fc.array(rule, { maxLength: 3 }),
  deny: fc.array(rule, { maxLength: 2 }),
});
const someRoles: fc.Arbitrary<readonly Role[]> = fc.array(
  someRules.map((one) => ({ ...one, name: "one" })),
  { maxLength: 3 },
);
const permission = fc.record({
  kind: fc.constantFrom(...Object.keys(kinds), "starship", "another"),
  verb: fc.constantFrom(...Object.keys(verbs), "launch", "another"),
});

function may(roles: readonly Rules[], wanted: { kind: string; verb: string }): boolean {
  return judge([{ ...together(roles), name: "together" }], wanted).kind === "allowed";
}

test("whoever was let grant hands nothing to anybody that they may not do themselves", () => {
  fc.assert(
    fc.property(someRoles, someRules, someRules, someRules, permission, (granter, before, after, others, wanted) => {
      fc.pre(beyond(granter, { before, after }).length === 0);
      // Nobody knows which other roles the one who is granted something has.
      const isGained = may([after, others], wanted) && !may([before, others], wanted);
      expect(isGained && !may(granter, wanted)).toBe(false);
    }),
    { numRuns: 3000 },
  );
});

test("root may grant everything, and somebody who may do nothing takes away at most", () => {
  fc.assert(
    fc.property(someRules, someRules, (before, after) => {
      expect(beyond(holder([root]), { before, after })).toEqual([]);
      expect(beyond([], { before: after, after: rules([], after.deny) })).toEqual([]);
    }),
  );
});

test("one deny beats all that is allowed, in whatever order roles stand", () => {
  fc.assert(
    fc.property(someRoles, permission, (roles, wanted) => {
      const isDenied = roles.some((one) => may([{ allow: one.deny, deny: [] }], wanted));
      if (isDenied) expect(judge(roles, wanted).kind).toBe("denied");
      expect(judge(roles.toReversed(), wanted).kind).toBe(judge(roles, wanted).kind);
    }),
  );
});
