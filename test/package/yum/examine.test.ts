import { describe, expect, test } from "vitest";
import { sizesIn } from "../../../src/package/yum/examine/needs.ts";
import { movesByItself } from "../../../src/package/yum/examine/rivals.ts";
import type { PackageName } from "../../../src/settings/settings.ts";

const agent = "svc-ent" as PackageName;

describe("what packages take", () => {
  test("is the sum of all, each once", () => {
    const rows = ["svc-ent|339001|695345", "libnew|1000|5000", "svc-ent|339001|695345", "no sizes", ""];
    expect(sizesIn(rows.join("\n"))).toEqual({ download: 340_001, unpacked: 700_345 });
  });
});

describe("dnf-automatic", () => {
  const shipped = "[commands]\nupgrade_type = default\napply_updates = no\n\n[base]\ndebuglevel = 1\n";
  test.each<{ title: string; text: string; applies: "always" | "as-configured"; moves: boolean }>([
    { title: "as it is shipped only downloads", text: shipped, applies: "as-configured", moves: false },
    { title: "moves it where it applies", text: shipped.replace("= no", "= yes"), applies: "as-configured", moves: true },
    { title: "moves it by the timer that always applies", text: shipped, applies: "always", moves: true },
    { title: "leaves alone what it excludes", text: `${shipped}excludepkgs = other, svc-ent\n`, applies: "always", moves: false },
  ])("$title", ({ text, applies, moves }) => {
    expect(movesByItself(text, agent, applies)).toBe(moves);
  });
});
