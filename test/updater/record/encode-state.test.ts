import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeState } from "../../../src/updater/record/decode-state.ts";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { emptyState, longestStateBytes, type PassRecord } from "../../../src/updater/record/state.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import type { Version } from "../../../src/rules/version/version.ts";
import { state } from "./arbitrary.ts";
import { cutOff, fault } from "./given.ts";

describe("the encoded state", () => {
  test("is indented JSON with its schema first and a newline last, and leaves out what is not there", () => {
    expect(encodeState(emptyState)).toBe(
      '{\n  "schema": 1,\n  "rejected": [],\n  "channels": [],\n  "kept": [],\n  "moveSeconds": [],\n  "passes": []\n}\n',
    );
  });

  test("comes back as it was", () => {
    fc.assert(
      fc.property(state("plain"), (written) => {
        const read = decodeState(encodeState(written));
        if (read.kind === "unreadable") throw new Error(read.why);
        // What is quoted is also trimmed, so the second writing is the one to compare.
        expect(encodeState(read.value)).toBe(encodeState(written));
        expect(read.value.rejected).toEqual(written.rejected);
        expect(read.value.step?.served).toEqual(written.step?.served);
        expect([read.value.previous, read.value.heldUntil]).toEqual([written.previous, written.heldUntil]);
        expect(read.value.passes.map(({ steps }) => steps)).toEqual(written.passes.map(({ steps }) => steps));
        expect(read.value.step?.done).toEqual(written.step?.done);
        expect(read.value.passes.map(({ recovered }) => recovered)).toEqual(written.passes.map(({ recovered }) => recovered));
        expect(read.value.channels).toEqual(written.channels);
        expect(read.value.kept.map(({ bytes }) => bytes)).toEqual(written.kept.map(({ bytes }) => bytes));
        expect(Object.keys(read.value).sort()).toEqual(Object.keys(emptyState).sort());
      }),
    );
  });

  test("stays readable, below its cap and in single lines, whatever the passes said", () => {
    fc.assert(
      fc.property(state("any"), (written) => {
        const encoded = encodeState(written);
        const read = decodeState(encoded);
        expect(read.kind === "read" ? "" : read.why).toBe("");
        expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(longestStateBytes);
        expect(encoded).not.toMatch(/\\n|\\u00[01]/);
        if (read.kind === "read") expect(encodeState(read.value)).toBe(encoded);
      }),
      { numRuns: 50, endOnFailure: true },
    );
  });

  test.each(["€", '"', "😀"])("fits its cap with every list full and every text of %o", (character) => {
    const served = "1.2.3" as Version;
    const long = character.repeat(3000);
    const longFault = {
      code: "install-failed" as const,
      message: long,
      hint: long,
      causes: Array.from({ length: 9 }, () => long),
    };
    const cause = { step: "install" as const, fault: longFault, evidence: Array.from({ length: 9 }, () => long) };
    const pass: PassRecord = {
      id: long,
      startedAt: 1,
      seconds: 1,
      installed: long,
      served: long,
      channel: long,
      decision: { kind: "stop", fault: longFault },
      outcome: { kind: "failed", back: { kind: "failed", step: "back-activate", fault: longFault }, ...cause },
      steps: Array.from({ length: 50 }, () => ({ step: "back-activate", ms: 1e15 }) as const),
      recovered: { step: "back-activate", served, ended: "not-mended" },
    };
    const packageVersion = `1.2.3-1${"0".repeat(240)}` as PackageVersion;
    const rejection = { served, packageVersion, at: 1, why: long };
    const encoded = encodeState({
      ...emptyState,
      needsOperator: { at: 1, why: long },
      rejected: Array.from({ length: 50 }, () => rejection),
      backoff: { served, cause: longFault, failures: 9, until: 1 },
      previous: { version: served, packageVersion, leftAt: 1 },
      kept: Array.from({ length: 9 }, () => ({ packageVersion, file: long, sha256: long, bytes: 1e15 })),
      clock: { now: 1, sinceBootSeconds: 1, bootId: long },
      doubtedClock: { now: 1, sinceBootSeconds: 1, bootId: long },
      passes: Array.from({ length: 50 }, () => pass),
      step: cutOff("back-activate", { pass: long, from: packageVersion, to: packageVersion, cause, done: pass.steps }),
    });
    expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(longestStateBytes);
    expect(Buffer.byteLength(encoded)).toBeGreaterThan(longestStateBytes / 4);
    expect(decodeState(encoded).kind).toBe("read");
  });

  test("keeps the last lines of the evidence, which tell how it ended", () => {
    const evidence = ["a", "b", "c", "d", "e", "f"];
    const step = cutOff("back-install", { cause: { step: "health", fault: fault("unhealthy"), evidence } });
    const read = decodeState(encodeState({ ...emptyState, step }));
    expect(read.kind === "read" && read.value.step?.cause?.evidence).toEqual(["b", "c", "d", "e", "f"]);
  });
});

test("a list that a later release wrote longer is read as far as this one understands it", () => {
  const [one, two, three] = ["1-1", "2-1", "3-1"].map((packageVersion) => ({ packageVersion, file: "f", sha256: "0", bytes: 1 }));
  const found = { schema: 1, rejected: [], moveSeconds: [], passes: [], kept: [one, two], later: { kept: [one, two, three] } };
  expect(decodeState(JSON.stringify(found))).toMatchObject({ kind: "read", value: { kept: [one, two] } });
});
