import { describe, expect, test } from "vitest";
import { loginsGiven } from "../../../src/cluster/access/grant.ts";
import {
  everyShell,
  isLogin,
  judgeShell,
  loginsBeyond,
  loginsByLabels,
  type ShellRules,
} from "../../../src/cluster/access/shells.ts";

const nothing = { logins: [], labels: {} };
const everywhere = { "*": ["*"] };

function allowing(logins: readonly string[], labels: ShellRules["allow"]["labels"] = everywhere): ShellRules {
  return { allow: { logins, labels }, deny: nothing };
}

function role(name: string, ...shells: readonly ShellRules[]): { readonly name: string; readonly shells: readonly ShellRules[] } {
  return { name, shells };
}

function denying(login: string): ShellRules {
  return { allow: nothing, deny: { logins: [login], labels: {} } };
}

const shell = { user: "anna", login: "root", labels: { env: "prod", "host/env": "test", tier: "web" } };

describe("a shell", () => {
  test.each<[string, readonly ShellRules[], string]>([
    ["without a role", [], "missing login"],
    ["with the login on every host", [allowing(["root"])], "allowed"],
    ["with another login", [allowing(["admin"])], "missing login"],
    ["with a login in other letters", [allowing(["Root"])], "missing login"],
    ["with the login and no labels", [allowing(["root"], {})], "missing labels"],
    ["with the login for this label", [allowing(["root"], { env: ["test", "prod"] })], "allowed"],
    ["with the login for any value of it", [allowing(["root"], { env: ["*"] })], "allowed"],
    ["with the login for another value", [allowing(["root"], { env: ["test"] })], "missing labels"],
    ["with the login for two labels, of which one fits", [allowing(["root"], { env: ["prod"], tier: ["db"] })], "missing labels"],
    ["with the login for a label that the host gave itself", [allowing(["root"], { "host/env": ["test"] })], "missing labels"],
    ["with the login for what every object has", [allowing(["root"], { toString: ["*"] })], "missing labels"],
    ["with login and label in two roles", [allowing(["root"], {}), allowing([], everywhere)], "missing labels"],
    [
      "with a login that another role denies",
      [allowing(["root"]), { allow: nothing, deny: { logins: ["root"], labels: {} } }],
      "denied",
    ],
    [
      "on a host that another role denies",
      [allowing(["root"]), { allow: nothing, deny: { logins: [], labels: { tier: ["web"] } } }],
      "denied",
    ],
    ["with a star that is no label", [allowing(["root"], { "*": ["prod"] })], "missing labels"],
  ])("%s is judged", (_what, shells, verdict) => {
    const judged = judgeShell([role("one", ...shells), { name: "two" }], shell);
    expect(judged.kind === "missing" ? `missing ${judged.what}` : judged.kind).toBe(verdict);
  });

  test("as oneself is allowed to names that are accounts, and never as root", () => {
    const own = [role("own", allowing(["{{user}}"]))];
    const as = (user: string, login = user): string => judgeShell(own, { ...shell, user, login }).kind;
    expect([as("anna"), as("anna", "bob"), as("root"), as("anna@example.com"), as("Anna")]).toEqual([
      "allowed",
      "missing",
      "missing",
      "missing",
      "missing",
    ]);
    expect([isLogin("web_1"), isLogin("-o"), isLogin("a".repeat(33)), isLogin("")]).toEqual([true, false, false, false]);
  });
});

describe("a change gives away", () => {
  test.each<[string, readonly ShellRules[], readonly ShellRules[], readonly ShellRules[], readonly string[]]>([
    ["a login that the granter lacks", [], [], [allowing(["root"])], ["root"]],
    ["none that the granter has", [allowing(["root"])], [], [allowing(["root"], { env: ["prod"] })], []],
    ["one on more hosts than the granter's", [allowing(["root"], { env: ["test"] })], [], [allowing(["root"])], ["root"]],
    ["none on the granter's own hosts", [allowing(["root"], { env: ["test"] })], [], [allowing(["root"], { env: ["test"] })], []],
    ["none that was there", [], [allowing(["root"])], [allowing(["root"])], []],
    ["the one of two that was not there", [], [allowing(["admin"])], [allowing(["admin", "root"])], ["admin", "root"]],
    [
      "one that was denied before",
      [allowing(["admin"])],
      [{ allow: nothing, deny: { logins: ["root"], labels: {} } }],
      [],
      ["root"],
    ],
    ["none that is still denied", [], [denying("root")], [denying("root")], []],
    [
      "any on hosts that were denied before",
      [allowing(["root"])],
      [{ allow: nothing, deny: { logins: [], labels: { env: ["prod"] } } }],
      [{ allow: nothing, deny: { logins: [], labels: { env: ["test"] } } }],
      ["*"],
    ],
    [
      "none on hosts that stay denied",
      [],
      [{ allow: nothing, deny: { logins: [], labels: { env: ["prod"] } } }],
      [{ allow: nothing, deny: { logins: ["root"], labels: { env: ["prod"] } } }],
      [],
    ],
    [
      "the holder's own name, which a granter who has their own could choose",
      [allowing(["{{user}}"])],
      [],
      [allowing(["{{user}}"])],
      ["{{user}}"],
    ],
    [
      "none to root on the auth host, whatever was denied",
      [everyShell],
      [{ allow: nothing, deny: { logins: ["root"], labels: { env: ["prod"] } } }],
      [allowing(["{{user}}"])],
      [],
    ],
    ["none to root on the auth host", [everyShell], [], [allowing(["root", "admin"])], []],
  ])("%s", (_what, granter, before, after, logins) => {
    expect(loginsBeyond(granter, before, after)).toEqual(logins);
  });
});

test("a grant counts the logins of all roles together, and a role without any", () => {
  const plain = { name: "plain", allow: [], deny: [] };
  const ops = { ...plain, shells: [allowing(["root"])] };
  const given = (granter: readonly (typeof plain)[], before: object, after: object): readonly string[] =>
    loginsGiven(granter, { before: { ...plain, ...before }, after: { ...plain, ...after } });
  expect(given([plain], {}, ops)).toEqual(["root"]);
  expect(given([plain, ops], {}, ops)).toEqual([]);
  expect(given([plain], ops, {})).toEqual([]);
  expect(given([], plain, plain)).toEqual([]);
});

describe("other labels of a host", () => {
  const before = { site: "a" };
  const after = { env: "prod" };
  const lasting = allowing(["root"]);
  const gained = allowing(["admin", "root"], { env: ["prod"] });
  const lost = allowing(["old"], { site: ["a"] });
  const freed: ShellRules = { allow: nothing, deny: { logins: [], labels: { site: ["a"] } } };
  test.each<[string, readonly ShellRules[], readonly ShellRules[], readonly string[]]>([
    ["give the logins of the roles that fit now", [], [lasting, gained, lost], ["admin", "root"]],
    ["give none that the labeller has there already", [lasting], [gained], ["admin"]],
    ["give one that the labeller has with those labels alone", [gained], [gained], ["admin", "root"]],
    ["free the host of a deny", [lasting], [freed], ["*"]],
    ["keep a deny that still fits", [], [{ ...freed, deny: { logins: [], labels: { "*": ["*"] } } }], []],
  ])("%s", (_what, labeller, all, logins) => {
    expect(loginsByLabels([role("own", ...labeller)], [role("all", ...all), { name: "plain" }], { before, after })).toEqual(
      logins,
    );
  });
});
