import { expect, test } from "vitest";
import { judgeClocks } from "../../../src/kube/objects/pod-clocks.ts";
import { now } from "./given.ts";

test.each([
  ["plausible where nothing speaks against it", undefined, undefined, 0, "plausible"],
  ["plausible beside the API server's", now + 600, now, 0, "plausible"],
  ["wrong where the API server's is behind", now - 601, undefined, 0, "wrong"],
  ["believed where it went back and the API server's agrees", now, now + 7200, 0, "redated"],
] as const)("the clock is %s", (_, witness, recordedAt, builtAt, kind) => {
  expect(judgeClocks({ now, witness, builtAt, recordedAt })).toMatchObject({ kind });
});
