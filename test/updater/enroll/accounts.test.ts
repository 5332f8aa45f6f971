import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { lookUpAccount } from "../../../src/updater/enroll/accounts.ts";
import { pathsBelow } from "../../../src/machine/files/paths.ts";
import { runCommand } from "../../../src/machine/processes/run-command.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const image = scratchFolder();
mkdirSync(`${image}/etc`);
writeFileSync(
  `${image}/etc/passwd`,
  "root:x:0:0:root:/root:/bin/sh\nsvc:x:997:997::/:/bin/sh\n\nhalf\nodd:x:many:1\n42:x:43:1\n",
);

describe("a user", () => {
  test.each([
    ["997", { name: "svc", uid: 997 }],
    ["42", { name: "42", uid: 43 }],
    ["odd", undefined],
  ])("%j of another root is looked up in that root's own file", async (asked, account) => {
    expect(await lookUpAccount(asked, { paths: pathsBelow(image), run: runCommand })).toEqual(account);
  });

  test("of a root without accounts is unknown", async () => {
    expect(await lookUpAccount("root", { paths: pathsBelow(`${image}/etc`), run: runCommand })).toBeUndefined();
  });

  test("a number of this machine is looked up as the machine does it", async () => {
    expect(await lookUpAccount("0", { paths: pathsBelow("/"), run: runCommand })).toEqual({ name: "root", uid: 0 });
  });

  test("that a directory service cannot tell of is a fault, and not an unknown one", async () => {
    const run = (): Promise<{ kind: "timed-out"; afterMs: number }> => Promise.resolve({ kind: "timed-out", afterMs: 1 });
    await expect(lookUpAccount("svc", { paths: pathsBelow("/"), run })).rejects.toMatchObject({ code: "os-failed" });
  });
});
