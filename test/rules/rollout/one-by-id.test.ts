import { expect, test } from "vitest";
import { oneById, type Claim } from "../../../src/rules/rollout/one-by-id.ts";

type Named = Claim & { readonly name: string };

function claim(name: string, more: Partial<Claim> = {}): Named {
  return { name, asks: "one", reported: 100, isLiving: true, object: undefined, ...more };
}

const dead = { isLiving: false };

test.each<[title: string, claims: readonly Named[], wanted: readonly string[]]>([
  ["one host", [claim("a")], ["a of 1"]],
  ["two ids", [claim("a"), claim("b", { asks: "two" })], ["a of 1", "b of 1"]],
  ["two living hosts: neither is believed", [claim("a"), claim("b")], ["a of 2, shared", "b of 2, shared"]],
  ["two living hosts and a silent one", [claim("a"), claim("b", dead), claim("c")], ["a of 3, shared", "c of 3, shared"]],
  [
    "a host that joined anew, though its old instance reported later",
    [claim("a", { ...dead, reported: 200 }), claim("b")],
    ["b of 2"],
  ],
  ["a host that joined anew, in another order", [claim("b"), claim("a", { ...dead, reported: 200 })], ["b of 2"]],
  ["two silent ones: the newer", [claim("a", { ...dead, reported: 99 }), claim("b", dead)], ["b of 2"]],
  ["two silent ones, of which one never reported", [claim("a", dead), claim("b", { ...dead, reported: undefined })], ["a of 2"]],
  ["two silent ones, in another order", [claim("b", { ...dead, reported: undefined }), claim("a", dead)], ["a of 2"]],
  ["pods of one object: the newest", [claim("a", { object: "x" }), claim("b", { object: "x", reported: 200 })], ["b of 2"]],
  ["pods of two objects", [claim("a", { object: "x" }), claim("b", { object: "y" })], ["a of 2, shared", "b of 2, shared"]],
  ["a pod and a host", [claim("a", { object: "x" }), claim("b")], ["a of 2, shared", "b of 2, shared"]],
])("%s", (_, claims, wanted) => {
  const found = oneById(claims).map(
    ({ claim: { name }, claims: all, isShared }) => `${name} of ${all}${isShared ? ", shared" : ""}`,
  );
  expect(found).toEqual(wanted);
});
