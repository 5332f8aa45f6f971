import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askYum } from "../../../../src/updater/package/yum/ask.ts";
import { withLists } from "../../../../src/updater/package/yum/lists.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";
import { rpmThatSays } from "../rpm/says.ts";

const scratch = scratchFolder();
const root = (): string => mkdtempSync(`${scratch}/root-`);

describe("a question to dnf", () => {
  test("below a root is asked with that root's configuration and in its places, as long as a slow disk needs", async () => {
    const there = root();
    mkdirSync(join(there, "etc/yum.repos.d"), { recursive: true });
    const { run, asked } = rpmThatSays("yes\n");
    const { ask, program } = askYum(run, there, "yum");
    expect([program, (await ask(["repoinfo"])).stdout]).toEqual(["yum", "yes\n"]);
    expect(asked[0]?.argv.slice(0, 4)).toEqual(["yum", `--installroot=${there}`, "--noplugins", "-C"]);
    expect(asked[0]?.argv.filter((word) => /dir=/.test(word))).toEqual([]);
    expect(asked[0]).toMatchObject({ env: { LC_ALL: "C.UTF-8" }, timeoutMs: 120_000 });
  });

  test("is none below a root without repositories: dnf would take this machine's", () => {
    const there = root();
    expect(() => askYum(rpmThatSays("").run, there, "dnf")).toThrow(
      expect.objectContaining({
        code: "host-unsupported",
        message: expect.stringContaining(`${there}/etc/yum.repos.d`) as string,
      }),
    );
  });

  test("of the machine itself writes where nobody else is in the way", async () => {
    const { run, asked } = rpmThatSays("");
    await askYum(run, "/", "dnf").ask(["repoinfo"]);
    const [argv] = asked.map((command) => command.argv);
    expect(argv?.[1]).toBe("-C");
    expect(argv?.filter((word) => /^--setopt=(?:cache|persist|log)dir=\/tmp\/svc-upgrade-call-/.test(word))).toHaveLength(3);
  });
});

test("the lists that dnf has fetched are shown to it where it may write, and neither its locks nor its packages", async () => {
  const lists = root();
  mkdirSync(join(lists, "svc-0123456789abcdef"));
  mkdirSync(join(lists, "not-a-repository"));
  for (const name of ["svc.solv", "svc-filenames.solvx", "packages.db", "metadata_lock.pid"])
    writeFileSync(join(lists, name), "");
  const shown = await withLists(
    async (directory) => readdirSync(directory).map((name) => readlinkSync(join(directory, name))),
    lists,
  );
  expect(shown.toSorted()).toEqual(["svc-0123456789abcdef", "svc-filenames.solvx", "svc.solv"].map((name) => join(lists, name)));
});
