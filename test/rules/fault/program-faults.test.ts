import { expect, test } from "vitest";
import { clusterFaultTable } from "../../../src/rules/fault/cluster-table.ts";
import { Fault, type AnyFaultCode } from "../../../src/rules/fault/fault.ts";
import { faultsOf } from "../../../src/rules/fault/program-faults.ts";
import { tellFault } from "../../../src/rules/fault/tell-fault.ts";

const programs = Object.keys(faultsOf) as (keyof typeof faultsOf)[];

test.each(programs)("%s ends with the statuses that its table tells", (program) => {
  for (const [code, { exit, meaning }] of Object.entries(faultsOf[program])) {
    const fault = new Fault(code as AnyFaultCode, { message: "it is so", hint: "do this" });
    expect([code, tellFault(fault, program).exit]).toEqual([code, exit]);
    expect(meaning).toMatch(/^[A-Za-z/`].*[^.]$/);
  }
});

test.each(programs)("%s can end with a bug and a wrong command line", (program) => {
  expect(Object.keys(faultsOf[program])).toEqual(expect.arrayContaining(["usage", "bug"]));
});

test.each(["svc", "tctl", "tsh"] as const)("%s can end with each fault of a cluster", (program) => {
  expect(Object.keys(faultsOf[program])).toEqual(expect.arrayContaining(Object.keys(clusterFaultTable)));
});
