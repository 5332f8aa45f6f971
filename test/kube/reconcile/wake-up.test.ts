import { expect, test } from "vitest";
import { Bell } from "../../../src/kube/reconcile/wake-up.ts";

const long = 60_000;
const calm = new AbortController().signal;

test("wakes whoever waits", async () => {
  const bell = new Bell();
  const waiting = bell.rings(long, calm);
  bell.ring();
  expect(await waiting).toBe(true);
});

test("is heard later where nobody waited, and once", async () => {
  const bell = new Bell();
  bell.ring();
  bell.ring();
  expect(await bell.rings(long, calm)).toBe(true);
  expect(await bell.rings(0, calm)).toBe(false);
});

test("a raised signal ends the wait, and each one after it", async () => {
  const bell = new Bell();
  const stopping = new AbortController();
  const waiting = bell.rings(long, stopping.signal);
  stopping.abort();
  expect(await waiting).toBe(false);
  expect(await bell.rings(long, stopping.signal)).toBe(false);
});
