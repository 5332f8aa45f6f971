import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asFault, faultData } from "../../../src/rules/fault/explain.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";

const told = { message: "the channel cannot be reached", hint: "svc-upgrade doctor" };

describe("a fault", () => {
  test("is an error with its code and its hint", () => {
    const fault = new Fault("busy", told);
    expect(fault).toBeInstanceOf(Error);
    expect(fault).toMatchObject({ name: "Fault", code: "busy", ...told });
  });

  test("has no cause unless one was told", () => {
    expect(new Fault("busy", told)).not.toHaveProperty("cause");
    expect(new Fault("busy", { ...told, cause: undefined })).not.toHaveProperty("cause");
    expect(new Fault("busy", { ...told, cause: 0 }).cause).toBe(0);
  });

  test("that nobody foresaw is one of the program that threw it", () => {
    for (const program of ["svc-upgrade", "svc-proxy"] as const) {
      const { message, hint } = asFault(new Error("no"), program);
      expect([message, hint]).toEqual([
        expect.stringMatching(`^${program} failed`),
        expect.stringMatching(`journalctl -u ${program}\``),
      ]);
    }
  });

  test("of another table is none that a host writes down", () => {
    expect(faultData(new Fault("access-denied", told)).code).toBe("bug");
  });

  test("passes as it is", () => {
    const fault = new Fault("busy", told);
    expect(asFault(fault)).toBe(fault);
  });
});

test("a cause is told without what the runtime advises those who start it themselves", () => {
  const cause = new Error(
    "self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca",
  );
  expect(faultData(new Fault("tls-untrusted", { ...told, cause })).causes).toEqual(["self-signed certificate"]);
  const other = new Error("a; set NODE_EXTRA_CA_CERTS; b");
  expect(faultData(new Fault("tls-untrusted", { ...told, cause: other })).causes).toEqual(["a; b"]);
});

describe("anything else that was thrown", () => {
  const unprintable = {
    toString(): string {
      throw new Error("no words");
    },
  };
  test.each([
    ["an error", new Error("boom"), "boom"],
    ["an error without a message", new TypeError(), "TypeError"],
    ["a string", "boom", "boom"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["a symbol", Symbol("boom"), "Symbol(boom)"],
    ["an object without a prototype", Object.create(null), "something that cannot be printed"],
    ["an object that refuses to be printed", unprintable, "something that cannot be printed"],
    ["two lines", new Error("first\nsecond"), "first second"],
  ])("is a bug of ours: %s", (_, thrown, words) => {
    const fault = asFault(thrown);
    expect(fault.code).toBe("bug");
    expect(fault.message).toBe(`svc-upgrade failed in a way it does not know: ${words}`);
    expect(fault.hint).toContain("journalctl -u svc-upgrade");
    expect(fault.cause).toBe(thrown);
  });

  test("never makes the explaining fail", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (thrown) => {
        expect(faultData(asFault(thrown)).code).toBe("bug");
      }),
    );
  });
});

describe("the causes", () => {
  function causesOf(cause: unknown): readonly string[] {
    return faultData(new Fault("channel-unreachable", { ...told, cause })).causes;
  }

  test("are told in their order, the nearest first", () => {
    const deepest = new Error("connection refused");
    expect(causesOf(new Error("fetch failed", { cause: deepest }))).toEqual(["fetch failed", "connection refused"]);
  });

  test.each([
    ["none", undefined, []],
    ["null", null, []],
    ["no error at all", "a word", ["a word"]],
    ["zero", 0, ["0"]],
  ])("may be %s", (_, cause, causes) => {
    expect(causesOf(cause)).toEqual(causes);
  });

  test("of several failed connections are told together, as the joint error has no words of its own", () => {
    const both = new AggregateError([new Error("refused by ::1"), new Error("refused by 127.0.0.1")]);
    expect(causesOf(both)).toEqual(["refused by ::1; refused by 127.0.0.1"]);
    expect(causesOf(new AggregateError([], "all of them failed"))).toEqual(["all of them failed"]);
    expect(causesOf(new AggregateError([]))).toEqual(["AggregateError"]);
  });

  test("of several connections are bounded, and one that holds itself ends", () => {
    const many = new AggregateError(Array.from({ length: 1000 }, (_, index) => new Error(`refused ${index}`)));
    expect(causesOf(many)[0]?.length).toBeLessThanOrEqual(201);
    const itself = new AggregateError([]);
    itself.errors.push(itself);
    expect(causesOf(itself)).toEqual(["AggregateError"]);
  });

  test("that run in a circle are told once each", () => {
    const first = new Error("first");
    const second = new Error("second", { cause: first });
    first.cause = second;
    expect(causesOf(first)).toEqual(["first", "second"]);
    const own = new Error("own");
    own.cause = own;
    expect(causesOf(own)).toEqual(["own"]);
  });

  test("are cut after eight", () => {
    let cause = new Error("cause 20");
    for (let depth = 19; depth >= 1; depth -= 1) cause = new Error(`cause ${depth}`, { cause });
    expect(causesOf(cause)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((depth) => `cause ${depth}`));
  });

  test("are one short line each, whatever a program printed", () => {
    expect(causesOf(new Error("Command failed\nE: no\tlock"))).toEqual(["Command failed E: no lock"]);
    expect(causesOf(new Error("x".repeat(10_000)))[0]).toHaveLength(201);
  });
});

test("a fault as data says all that the fault says", () => {
  const fault = new Fault("busy", { ...told, cause: new Error("held by pid 7") });
  expect(faultData(fault)).toEqual({ code: "busy", ...told, causes: ["held by pid 7"] });
});
