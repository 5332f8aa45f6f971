import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { askOffered, offering, offersOf } from "../../../../src/updater/package/zypper/offers.ts";
import { parseRepositories } from "../../../../src/updater/package/zypper/repositories.ts";
import { parseFound } from "../../../../src/updater/package/zypper/search.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import { saved, savedEnded } from "../saved.ts";

const agent = "svc-ent" as PackageName;
const offersIn = (file: string): readonly string[] => offersOf(parseFound(saved(`zypper/${file}.txt`)));

describe("what zypper offers", () => {
  test("has every version of a package that is held, with its epoch", () => {
    expect(offersIn("offered-held")).toEqual(offersIn("offered"));
  });

  test("leaves out what an admin has locked out", () => {
    const offers = offersIn("offered-some-locked");
    expect(offers[0]).toBe("15.4.9-1");
    expect(offers.filter((version) => /^1[679]\./.test(version))).toEqual([]);
  });

  test.each([
    { title: "another package", row: "v  | svc-entry | package | 15.4.5-1 | x86_64 | Lab svc" },
    { title: "another architecture", row: "v  | svc-ent | package | 15.4.5-1 | s390x | Lab svc" },
  ])("is not $title", async ({ row }) => {
    const ask = (): Promise<{ status: number; stdout: string; output: string }> =>
      Promise.resolve({ status: 0, stdout: `${row}\n`, output: row });
    expect(await askOffered({ ask, fetched: () => [] }, agent)).toEqual([]);
  });

  test("is nothing where the package is unknown, or there is no repository", async () => {
    const answers = [
      savedEnded("zypper/requirers-none", 104),
      savedEnded("zypper/search-no-repositories", 0),
      { status: 6, stdout: "", output: "" },
    ];
    for (const answer of answers) {
      expect(await askOffered({ ask: () => Promise.resolve(answer), fetched: () => [] }, agent)).toEqual([]);
    }
  });

  test("is what the others have, where a repository had to be left out", async () => {
    const ask = (): Promise<ReturnType<typeof savedEnded>> => Promise.resolve(savedEnded("zypper/offered", 106));
    expect(await askOffered({ ask, fetched: () => [] }, agent)).toHaveLength(19);
  });

  test("is not known where zypper could not answer", async () => {
    const ask = (): Promise<ReturnType<typeof savedEnded>> => Promise.resolve(savedEnded("zypper/lock-waited", 7));
    await expect(askOffered({ ask, fetched: () => [] }, agent)).rejects.toMatchObject({
      code: "manager-busy",
      message: expect.stringMatching(/^zypper is locked/) as string,
    });
    const failed = (): Promise<ReturnType<typeof savedEnded>> => Promise.resolve({ status: 1, stdout: "", output: "" });
    await expect(askOffered({ ask: failed, fetched: () => [] }, agent)).rejects.toThrow(
      "zypper search svc-ent failed with status 1",
    );
  });

  test("comes from the repositories that zypper shows beside it, by name or by alias", () => {
    const repositories = parseRepositories(
      "[svc]\nname=The ours repository\n[mirror]\nname=Lab $name | $${x}\n[quiet]\nenabled=1\n[other]\nname=Lab (svc)\n",
    );
    const found = parseFound(saved("zypper/offered.txt"));
    expect(offering(found, repositories)).toEqual(["svc"]);
    const shown = (repository: string): typeof found => found.slice(0, 1).map((row) => ({ ...row, repository }));
    expect(offering(shown("Lab mirror | $"), repositories)).toEqual(["mirror"]);
    expect(offering(shown("quiet"), repositories)).toEqual(["quiet"]);
    expect(offering(shown("Lab (svc)"), repositories)).toEqual(["other"]);
    expect(offering(shown("mirror"), repositories)).toEqual(["mirror"]);
  });

  test("is read from a table whose last column is an admin's own words", () => {
    const row = "v  | svc-ent | package | 15.4.5-1 | noarch | Odd | name | é ";
    expect(parseFound(row)).toMatchObject([{ version: "15.4.5-1", repository: "Odd | name | é" }]);
  });

  test("survives any text", () => {
    assert(property(string(), (text) => void offersOf(parseFound(text))));
  });
});
