import { expect, it } from "vitest";
import { freshId } from "../../../src/machine/program/fresh-id.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it.each([
  ["from the kernel", undefined],
  ["without the kernel's", "/proc/nowhere"],
  ["where something else is told in its place", "/proc/sys/kernel/random/entropy_avail"],
])("is another UUID each time %s", (_, place) => {
  const ids = Array.from({ length: 20 }, () => freshId(place));
  expect(ids.filter((id) => !uuid.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(20);
});
