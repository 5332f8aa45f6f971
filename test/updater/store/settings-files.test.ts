import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readSettingsFiles } from "../../../src/updater/store/settings-files.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const own = process.getuid?.() ?? -1;
const isRoot = own === 0;

function directory(name: string, files: Readonly<Record<string, string>>): string {
  const path = `${folder}/${name}`;
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(`${path}/${file}`, text, { mode: 0o644 });
  return path;
}

describe("the settings' files", () => {
  test("are read directory by directory, by name, and only those that end in .yaml", async () => {
    const vendor = directory("vendor", { "90-last.yaml": "channel: a\n" });
    const admin = directory("admin", {
      "10-b.yaml": "channel: b\n",
      "10-B.yaml": "channel: B\n",
      "05-x.yaml": "# nothing\n",
      "notes.txt": "a: [",
      ".hidden.yaml": "a: [",
      "old.yaml.dpkg-old": "a: [",
    });
    const read = await readSettingsFiles([vendor, `${folder}/none`, admin], own);
    expect(read).toEqual({
      fragments: [
        { origin: { kind: "file", path: `${vendor}/90-last.yaml` }, values: { channel: "a" } },
        { origin: { kind: "file", path: `${admin}/05-x.yaml` }, values: null },
        { origin: { kind: "file", path: `${admin}/10-B.yaml` }, values: { channel: "B" } },
        { origin: { kind: "file", path: `${admin}/10-b.yaml` }, values: { channel: "b" } },
      ],
      faults: [],
      untrusted: undefined,
      denied: [],
    });
  });

  test("that end in .yml are told to be misnamed: somebody believes that they are read", async () => {
    const misnamed = directory("misnamed", { "10-a.yml": "channel: a\n" });
    const { fragments, faults } = await readSettingsFiles([misnamed], own);
    expect(fragments).toEqual([]);
    expect(faults).toMatchObject([{ origin: { path: `${misnamed}/10-a.yml` }, allowed: "a name that ends in .yaml" }]);
  });

  test("that are no YAML or no regular file are all named, and the good ones are read", async () => {
    const mixed = directory("mixed", {
      "1.yaml": "a: [",
      "2.yaml": "a: 1\na: 2\n",
      "3.yaml": "channel: c\n",
      "4.yaml": "#".repeat(65_537),
    });
    symlinkSync("3.yaml", `${mixed}/5.yaml`);
    const read = await readSettingsFiles([mixed], own);
    expect(read.fragments.map(({ values }) => values)).toEqual([{ channel: "c" }]);
    expect(read.faults.map(({ origin, found }) => [origin.kind === "file" && origin.path.slice(-6), found])).toEqual([
      ["4.yaml", "it is larger than 65536 bytes"],
      ["5.yaml", "it is a symbolic link"],
      ["1.yaml", expect.stringMatching(/^line 1: /)],
      ["2.yaml", "line 2: Map keys must be unique"],
    ]);
  });

  test("that others can write are refused together, and nothing of them is used", async () => {
    const loose = directory("loose", { "a.yaml": "channel: a\n", "b.yaml": "channel: b\n", "c.yaml": "channel: c\n" });
    chmodSync(`${loose}/a.yaml`, 0o664);
    chmodSync(`${loose}/b.yaml`, 0o646);
    const read = await readSettingsFiles([loose], own);
    expect(read.fragments.map(({ values }) => values)).toEqual([{ channel: "c" }]);
    expect(read.untrusted).toMatchObject({ code: "settings-untrusted" });
    expect(read.untrusted?.message).toContain(
      `${loose}/a.yaml can be written by others (mode 664); ${loose}/b.yaml can be written by others (mode 646)`,
    );
  });

  test("in a directory that others can write are refused with the directory's name", async () => {
    const open = directory("open", { "a.yaml": "channel: a\n" });
    chmodSync(open, 0o777);
    const read = await readSettingsFiles([open], own);
    expect(read.fragments).toEqual([]);
    expect(read.untrusted?.message).toContain(`${open} can be written by others (mode 777)`);
  });

  test("that belong to another user are refused", async () => {
    const foreign = directory("foreign", { "a.yaml": "channel: a\n" });
    const read = await readSettingsFiles([foreign], own + 1);
    expect(read.untrusted?.message).toContain(`${foreign} belongs to user ${own}`);
  });

  test.runIf(isRoot)("in root's directory that belong to another user are refused by name", async () => {
    const mine = directory("mine", { "a.yaml": "channel: a\n" });
    chownSync(`${mine}/a.yaml`, 1234, 0);
    const read = await readSettingsFiles([mine], 0);
    expect(read.untrusted?.message).toBe(
      `settings are read only from files that root alone can write: ${mine}/a.yaml belongs to user 1234`,
    );
  });

  test.runIf(isRoot)("that this user may not read are named", async () => {
    const secret = directory("secret", { "a.yaml": "channel: a\n", "b.yaml": "channel: b\n" });
    const closed = directory("closed", { "a.yaml": "channel: a\n" });
    chmodSync(`${secret}/a.yaml`, 0o600);
    chmodSync(closed, 0o700);
    chmodSync(folder, 0o755);
    process.seteuid?.(65_534);
    try {
      const read = await readSettingsFiles([secret, closed], 0);
      expect(read.denied).toEqual([`${secret}/a.yaml`, closed]);
      expect(read.fragments.map(({ values }) => values)).toEqual([{ channel: "b" }]);
    } finally {
      process.seteuid?.(0);
    }
  });
});
