import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, property, string } from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { enabledRepositories, fetchedAliases, parseRepositories } from "../../../../src/updater/package/zypper/repositories.ts";
import { mapUrls, sectionsOf, urlsOf } from "../../../../src/updater/package/zypper/repository-text.ts";

const text = `# an admin's own words
[svc]
name=The agent
enabled=1
baseurl=https://one.test/$releasever/
        https://two.test/
type=rpm-md

[with/slash]
enabled = no
mirrorlist = https://list.test/x?a=1
name =
[odd one]
name=Odd
 [not one]
`;

describe("the description of zypper's repositories", () => {
  test("is read section by section", () => {
    expect(parseRepositories(text)).toEqual([
      { alias: "svc", name: "The agent", isEnabled: true, urls: ["https://one.test/$releasever/", "https://two.test/"] },
      { alias: "with/slash", name: "", isEnabled: false, urls: ["https://list.test/x?a=1"] },
      { alias: "odd one", name: "Odd", isEnabled: true, urls: [] },
    ]);
  });

  test.each([
    ["yes", true],
    ["On", true],
    ["true", true],
  ])("says whether one is enabled: %j", (value, isEnabled) => {
    expect(parseRepositories(`[a]\nenabled=${value}\n`)).toMatchObject([{ isEnabled }]);
  });

  test("keeps all but the addresses as it is", () => {
    expect(
      sectionsOf(text)
        .map((section) => mapUrls(section, (url) => url))
        .join(""),
    ).toBe(text);
    const changed = sectionsOf(text).map((section) => mapUrls(section, (url) => url.replace("https", "http")));
    expect(changed.join("")).toBe(text.replaceAll("https", "http"));
  });

  test("survives any text", () => {
    assert(
      property(string(), string(), (before, after) => {
        const any = `[a]\n${before}\nbaseurl=${after}`;
        expect(mapUrls(any, (url) => url)).toBe(any);
        void urlsOf(any);
        void parseRepositories(any);
      }),
    );
  });
});

describe("the repositories of a root", () => {
  let root: string;
  beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "svc-upgrade-zypper-"))));
  afterEach(() => rm(root, { recursive: true }));

  test("are the enabled ones of all its files that are one; where there is no folder there are none", async () => {
    expect(enabledRepositories(root)).toEqual([]);
    const folder = join(root, "etc/zypp/repos.d");
    await mkdir(join(folder, "folder.repo"), { recursive: true });
    await writeFile(join(folder, "a.repo"), text);
    await writeFile(join(folder, "b.repo.rpmsave"), "[saved]\n");
    await writeFile(join(folder, "c.repo"), "[c]\n");
    expect(enabledRepositories(root).map(({ alias }) => alias)).toEqual(["svc", "odd one", "c"]);
  });

  test("are fetched where their lists lie", async () => {
    const repositories = parseRepositories(text);
    expect(fetchedAliases(root, repositories)).toEqual([]);
    for (const name of ["with_slash", "odd one"]) {
      await mkdir(join(root, "var/cache/zypp/solv", name), { recursive: true });
      await writeFile(join(root, "var/cache/zypp/solv", name, "solv"), "");
    }
    expect(fetchedAliases(root, repositories)).toEqual(["with/slash", "odd one"]);
  });
});
