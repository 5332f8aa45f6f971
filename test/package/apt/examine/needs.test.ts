import { describe, expect, test } from "vitest";
import { sizesIn } from "../../../../src/package/apt/examine/needs.ts";
import { saved } from "../../saved.ts";

describe("what packages take", () => {
  test("is the sum of what is fetched and of what is unpacked", () => {
    expect(sizesIn(saved("control-sizes.txt"))).toEqual({ download: 1_490_652 + 2_896_560, unpacked: (7164 + 18_062) * 1024 });
    expect(sizesIn("")).toEqual({ download: 0, unpacked: 0 });
  });
});
