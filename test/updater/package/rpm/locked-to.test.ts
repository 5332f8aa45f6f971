import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { lockedTo, parseRequirements } from "../../../../src/updater/package/rpm/locked-to.ts";

const printed =
  "plugin\tsvc-ent\t = \nplugin\t/bin/sh\t\nlimited\tsvc-ent\t <= \nother\tlib(x86-64)\t = \nown\tconfig(own)\t = \n";

describe("what installed packages require in exactly one version", () => {
  test("locks them to it, and a mere limit does not", async () => {
    const ask = async (): Promise<{ status: number; stdout: string; output: string }> => ({
      status: 0,
      stdout: printed,
      output: "",
    });
    const names = ["plugin", "limited", "other", "own"];
    expect(await lockedTo(ask, names, new Set(["svc-ent"]))).toEqual(["plugin"]);
    expect(await lockedTo(ask, names, new Set(["svc-ent", "lib"]))).toEqual(["plugin", "other"]);
    expect(await lockedTo(ask, names, new Set(["nobody"]))).toEqual([]);
  });

  test("survives any text", () => {
    assert(property(string(), (text) => void parseRequirements(text)));
  });
});
