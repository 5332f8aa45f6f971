import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type * as Asked from "../../src/record/asked.ts";
import { decodeAnswer, decodeRequest } from "../../src/record/decode-hand-over.ts";
import type * as DecodeHandOver from "../../src/record/decode-hand-over.ts";
import { decodeState } from "../../src/record/decode-state.ts";
import type * as DecodeState from "../../src/record/decode-state.ts";
import { encodeAnswer, encodeRequest } from "../../src/record/encode-hand-over.ts";
import type * as EncodeHandOver from "../../src/record/encode-hand-over.ts";
import { encodeState } from "../../src/record/encode-state.ts";
import type * as EncodeState from "../../src/record/encode-state.ts";
import { encodeAsked } from "../../src/record/asked.ts";
import { decodeProbe, encodeProbe } from "../../src/record/probe.ts";
import type * as Probe from "../../src/record/probe.ts";
import { longestHandOverBytes } from "../../src/record/hand-over.ts";
import { firstReleaseTree, missingHistory } from "../first-release/source.ts";
import { answer, probe, request, state } from "./arbitrary.ts";

const missing = missingHistory();
if (missing !== undefined) console.warn(`SKIPPED: what the first release reads of today's files: ${missing}`);

function first<Module>(path: string): Promise<Module> {
  return import(/* @vite-ignore */ pathToFileURL(join(firstReleaseTree(), "src/record", path)).href) as Promise<Module>;
}

/** Its own readers and writers, out of the history. */
async function firstRecord() {
  const [decodedState, encodedState, decoded, encoded, probes, notes] = await Promise.all([
    first<typeof DecodeState>("decode-state.ts"),
    first<typeof EncodeState>("encode-state.ts"),
    first<typeof DecodeHandOver>("decode-hand-over.ts"),
    first<typeof EncodeHandOver>("encode-hand-over.ts"),
    first<typeof Probe>("probe.ts"),
    first<typeof Asked>("asked.ts"),
  ]);
  return { ...decodedState, ...encodedState, ...decoded, ...encoded, ...probes, ...notes };
}

const record = missing === undefined ? await firstRecord() : undefined;

describe.skipIf(record === undefined)("the first release", () => {
  test.each(["plain", "any"] as const)("reads every state of today, and today's release what it makes of that: %s", (manner) => {
    fc.assert(
      fc.property(state(manner), (written) => {
        const encoded = encodeState(written);
        const read = record!.decodeState(encoded);
        if (read.kind === "unreadable") throw new Error(read.why);
        const back = decodeState(record!.encodeState(read.value));
        expect(back.kind === "read" ? "" : back.why).toBe("");
        const today = decodeState(encoded);
        expect(today.kind === "read" && encodeState(today.value)).toBe(encoded);
      }),
      { numRuns: manner === "any" ? 30 : 100, endOnFailure: true },
    );
  });

  test("is understood in every request and answer of its own", () => {
    fc.assert(
      fc.property(request, answer("any"), probe("any"), (asked, answered, proved) => {
        const { form: _, ...own } = asked;
        expect(decodeRequest(record!.encodeRequest(own as never))).toEqual({ kind: "read", value: { ...asked, form: "first" } });
        expect(decodeAnswer(record!.encodeAnswer(answered))).toMatchObject({ kind: "read" });
        expect(decodeProbe(record!.encodeProbe(proved))).toMatchObject({ kind: "read" });
      }),
    );
  });

  test("understands every request and answer in its form, and refuses a question in the open one", () => {
    fc.assert(
      fc.property(request, answer("any"), probe("any"), (asked, answered, proved) => {
        const read = record!.decodeRequest(encodeRequest({ ...asked, form: "first" }));
        expect(read).toMatchObject({ kind: "read", value: { pass: asked.pass, channel: asked.channel } });
        expect(record!.decodeRequest(encodeRequest({ ...asked, form: "open" })).kind).toBe("unreadable");
        const encoded = encodeAnswer(answered, "first");
        expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(longestHandOverBytes);
        expect(record!.decodeAnswer(encoded)).toMatchObject({ kind: "read", value: { pass: answered.pass } });
        expect(record!.decodeProbe(encodeProbe(proved, "first"))).toMatchObject({ kind: "read", value: { pass: proved.pass } });
      }),
    );
  });

  test.each([
    ["timer", "stop"],
    ["now", "install"],
    ["back", "stop"],
  ] as const)("understands a note that asks for %s, %s", (when, absent) => {
    expect(record!.decodeAsked(encodeAsked({ at: 7, asked: { when, absent } }))).toMatchObject({ value: { asked: { when } } });
  });
});
