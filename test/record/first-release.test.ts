import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type * as Asked from "../../src/record/asked.ts";
import { decodeState } from "../../src/record/decode-state.ts";
import type * as DecodeState from "../../src/record/decode-state.ts";
import { encodeState } from "../../src/record/encode-state.ts";
import type * as EncodeState from "../../src/record/encode-state.ts";
import { encodeAsked } from "../../src/record/asked.ts";
import { firstReleaseTree, missingHistory } from "../first-release/source.ts";
import { state } from "./arbitrary.ts";

const missing = missingHistory();
if (missing !== undefined) console.warn(`SKIPPED: what the first release reads of today's files: ${missing}`);

function first<Module>(path: string): Promise<Module> {
  return import(/* @vite-ignore */ pathToFileURL(join(firstReleaseTree(), "src/record", path)).href) as Promise<Module>;
}

/** Its own readers and writers, out of the history. */
async function firstRecord() {
  const [decodedState, encodedState, notes] = await Promise.all([
    first<typeof DecodeState>("decode-state.ts"),
    first<typeof EncodeState>("encode-state.ts"),
    first<typeof Asked>("asked.ts"),
  ]);
  return { ...decodedState, ...encodedState, ...notes };
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

  test.each([
    ["timer", "stop"],
    ["now", "install"],
    ["back", "stop"],
  ] as const)("understands a note that asks for %s, %s", (when, absent) => {
    expect(record!.decodeAsked(encodeAsked({ at: 7, asked: { when, absent }, pass: undefined }))).toMatchObject({
      value: { asked: { when } },
    });
  });
});
