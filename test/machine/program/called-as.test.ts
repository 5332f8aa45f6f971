import { expect, test } from "vitest";
import { calledAs } from "../../../src/machine/program/called-as.ts";

const names = ["svc", "tctl", "tsh"] as const;

test.each([
  ["/usr/bin/svc", ["start"], "svc", ["start"]],
  ["tctl", ["status"], "tctl", ["status"]],
  ["/usr/bin/tsh", ["tctl"], "tsh", ["tctl"]],
  ["node", ["tctl", "status"], "tctl", ["status"]],
  ["svc", ["tsh", "version"], "tsh", ["version"]],
  ["node", ["svc"], "svc", ["svc"]],
  ["node", [], "svc", []],
] as const)("called %s with %j it is %s with %j", (argv0, argv, program, rest) => {
  expect(calledAs(names, { argv0, argv })).toEqual({ program, argv: rest });
});
