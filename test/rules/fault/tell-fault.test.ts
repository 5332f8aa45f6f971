import { expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { clusterFaultTable, type ClusterFaultCode } from "../../../src/rules/fault/cluster-table.ts";
import { isClusterFault, tellFault } from "../../../src/rules/fault/tell-fault.ts";

test.each(Object.keys(clusterFaultTable) as ClusterFaultCode[])("a fault of a cluster ends a program by its row: %s", (code) => {
  const wrong = [{ at: ".spec", found: "1", allowed: "2" }];
  const told = tellFault(new Fault(code, { message: "it is so", hint: "do this", wrong }), "tctl");
  expect(told).toEqual({ code, exit: clusterFaultTable[code].exit, message: "it is so", hint: "do this", wrong });
});

test.each([
  ["not-permitted", 77],
  ["object-absent", 69],
] as const)("a fault of another table ends it by that one's: %s", (code, exit) => {
  const told = tellFault(new Fault(code, { message: "no", hint: "sudo" }), "svc");
  expect(told).toEqual({ code, exit, message: "no", hint: "sudo", wrong: [] });
});

test.each([
  ["Expected 0 arguments but got 1: https://proxy.example.com/web/invite/", "0a".repeat(32), ""],
  ['"', `${"0a".repeat(30)}…`, '" in --auth-server is no address'],
])("a secret that was typed in the place of something else is not shown: %s", (before, secret, after) => {
  const told = tellFault(new Fault("usage", { message: `${before}${secret}${after}`, hint: "" }), "tsh");
  expect(told.message).toBe(`${before}(not shown: it may be a secret)${after}`);
});

test("a secret that was typed in the place of a file is not in the hint either", () => {
  const typed = "0a".repeat(32);
  const told = tellFault(new Fault("file-failed", { message: `${typed} is missing`, hint: `\`ls -l ${typed}\`` }), "tctl");
  expect(told).toMatchObject({ message: "(not shown: it may be a secret) is missing", hint: "`ls -l FILE`" });
});

test("a pin that was typed in the place of something else is shown", () => {
  const message = `got 1: sha256:${"0a".repeat(32)}`;
  expect(tellFault(new Fault("usage", { message, hint: "" }), "svc").message).toBe(message);
});

test("whatever else was thrown is a bug of the program that was called", () => {
  const told = tellFault(new TypeError("x is undefined"), "tctl");
  expect(told).toMatchObject({ code: "bug", exit: 70, message: "tctl failed in a way it does not know: x is undefined" });
  expect(told.hint).toContain("`tctl version`");
});

test.each([
  [new Fault("auth-busy", { message: "", hint: "" }), true],
  [new Fault("proxy-refused", { message: "", hint: "" }), false],
  [new Error("auth-busy"), false],
])("faults of a cluster are told from others: %s", (thrown, isOne) => {
  expect(isClusterFault(thrown)).toBe(isOne);
});
