import { describe, expect, test } from "vitest";
import { judge, type Role, type Rule } from "../../../src/cluster/access/judge.ts";
import { tellPermission } from "../../../src/cluster/access/permission.ts";
import { isPreset, presets } from "../../../src/cluster/access/presets.ts";

function role(name: string, allow: readonly Rule[], deny: readonly Rule[] = []): Role {
  return { name, allow, deny };
}

const maintenance = role("maintenance", [
  { resources: ["cluster_maintenance_config"], verbs: ["create", "read", "update", "delete"] },
]);
const all = role("all", [{ resources: ["*"], verbs: ["*"] }]);
const noTokens = role("no-tokens", [], [{ resources: ["token"], verbs: ["*"] }]);

describe("somebody with", () => {
  test.each([
    ["no roles", [], "role", "read", { kind: "missing" }],
    ["the role of the documents", [maintenance], "cluster_maintenance_config", "update", { kind: "allowed", by: "maintenance" }],
    ["a verb that the rule has not", [maintenance], "cluster_maintenance_config", "secrets", { kind: "missing" }],
    ["a kind that the rule has not", [maintenance], "role", "update", { kind: "missing" }],
    ["everything", [all], "role", "delete", { kind: "allowed", by: "all" }],
    ["everything, which does not include escalate", [all], "role", "escalate", { kind: "missing" }],
    [
      "escalate by name",
      [role("own", [{ resources: ["*"], verbs: ["escalate"] }])],
      "role",
      "escalate",
      { kind: "allowed", by: "own" },
    ],
    [
      "a deny of everything on roles",
      [role("own", [{ resources: ["role"], verbs: ["escalate"] }], [{ resources: ["role"], verbs: ["*"] }])],
      "role",
      "escalate",
      { kind: "denied", by: "own" },
    ],
    ["everything, of a later release too", [all], "starship", "launch", { kind: "allowed", by: "all" }],
    ["a deny beside everything", [all, noTokens], "token", "read", { kind: "denied", by: "no-tokens" }],
    ["a deny before everything", [noTokens, all], "token", "secrets", { kind: "denied", by: "no-tokens" }],
    ["a deny of something else", [all, noTokens], "user", "read", { kind: "allowed", by: "all" }],
    [
      "a kind and a verb of two rules",
      [
        role("two", [
          { resources: ["role"], verbs: ["read"] },
          { resources: ["user"], verbs: ["list"] },
        ]),
      ],
      "role",
      "list",
      { kind: "missing" },
    ],
    [
      "a word that only begins like one",
      [role("near", [{ resources: ["roles"], verbs: ["read"] }])],
      "role",
      "read",
      { kind: "missing" },
    ],
    [
      "the name of what every object has",
      [role("odd", [{ resources: ["constructor"], verbs: ["toString"] }])],
      "role",
      "read",
      { kind: "missing" },
    ],
  ] as const)("%s", (_title, roles, kind, verb, verdict) => {
    expect(judge(roles, { kind, verb })).toEqual(verdict);
  });
});

describe("the roles that every cluster has", () => {
  test.each(presets.map((one) => [one.name, one] as const))(
    "%s grants nothing of maintenance configurations, and no secrets",
    (_name, one) => {
      for (const verb of ["create", "read", "update", "delete", "list", "secrets", "*"]) {
        expect(judge([one], { kind: "cluster_maintenance_config", verb }).kind).toBe("missing");
      }
      for (const kind of ["github", "token", "user", "ca"]) expect(judge([one], { kind, verb: "secrets" }).kind).toBe("missing");
    },
  );

  test.each([
    ["editor", "role", "create", "allowed"],
    ["editor", "role", "escalate", "allowed"],
    ["editor", "user", "escalate", "missing"],
    ["auditor", "role", "escalate", "missing"],
    ["editor", "rollout", "update", "allowed"],
    ["editor", "instance", "delete", "allowed"],
    ["editor", "ca", "read", "missing"],
    ["auditor", "audit", "list", "allowed"],
    ["auditor", "ca", "read", "allowed"],
    ["auditor", "user", "update", "missing"],
    ["access", "instance", "list", "allowed"],
    ["access", "rollout", "update", "missing"],
    ["access", "user", "read", "missing"],
  ])("%s: %s, %s: %s", (name, kind, verb, verdict) => {
    expect(
      judge(
        presets.filter((one) => one.name === name),
        { kind, verb },
      ).kind,
    ).toBe(verdict);
  });

  test("none stands in the way of a role of one's own", () => {
    expect(judge([...presets, maintenance], { kind: "cluster_maintenance_config", verb: "create" }).kind).toBe("allowed");
  });

  test("they are known by name", () => {
    expect(isPreset("editor")).toBe(true);
    expect(isPreset("Editor")).toBe(false);
  });
});

test.each([
  [{ kind: "role", verb: "create" }, "create on role"],
  [{ kind: "*", verb: "read" }, "read on kinds of later releases"],
  [{ kind: "user", verb: "*" }, "verbs of later releases on user"],
])("%o is told as %s", (permission, told) => {
  expect(tellPermission(permission)).toBe(told);
});
