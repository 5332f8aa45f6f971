import { expect, test } from "vitest";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import { afterSilence } from "../../../src/updater/pass/pass.ts";
import { now } from "./given.ts";

const day = 86_400;
const fault = {
  code: "channel-unreachable",
  message: "no answer from proxy.test",
  hint: "check the network",
  causes: ["deep"],
} as const;

test("a fault of the network stays what it is for a day", () => {
  expect(afterSilence(fault, undefined, now)).toBe(fault);
  expect(afterSilence(fault, now - day + 1, now)).toBe(fault);
});

test("after a day without contact it is said as such, with the fault of this pass as its cause", () => {
  expect(afterSilence(fault, now - day, now)).toEqual({
    code: "contact-lost",
    message: "the version server has not been reached since 2027-01-14T08:00:00Z",
    hint: "check the network",
    causes: ["no answer from proxy.test", "deep"],
  });
});

test.each<[FaultCode, FaultCode]>([
  ["channel-failing", "contact-lost"],
  ["proxy-unreachable", "contact-lost"],
  ["ask-failed", "contact-lost"],
  // These were told by somebody: there is contact, and another fault.
  ["answer-invalid", "answer-invalid"],
  ["channel-unknown", "channel-unknown"],
  ["tls-untrusted", "tls-untrusted"],
  ["stopping", "stopping"],
  ["package-absent", "package-absent"],
])("a silence that ends with %s is told as %s", (code, told) => {
  expect(afterSilence({ ...fault, code }, now - 2 * day, now).code).toBe(told);
});
