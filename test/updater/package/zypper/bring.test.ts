import { describe, expect, test } from "vitest";
import type { Planned } from "../../../../src/updater/package/manager/manager.ts";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import { bring } from "../../../../src/updater/package/zypper/bring.ts";
import { parseBrought, plainText } from "../../../../src/updater/package/zypper/bring.ts";

import { plannedBy } from "../../../../src/updater/package/zypper/simulate.ts";
import { savedEnded } from "../saved.ts";
import { agent, change, present, stage } from "./calls.ts";

const cache = "/var/cache/zypp/packages/svc/packages";
const planned: readonly Planned[] = [
  { name: agent, version: "15.4.40-1", architecture: undefined },
  { name: "libbar", version: "1.0-1", architecture: undefined },
];

const headers: Readonly<Record<string, string>> = {
  [`${cache}/libbar-1.0-1.x86_64.rpm`]: "libbar\t0\t1.0\t1\tx86_64\n",
  [`${cache}/svc-ent-15.4.40-1.x86_64.rpm`]: "svc-ent\t0\t15.4.40\t1\tx86_64\n",
};

function calls(
  said: Ended,
  others: Readonly<Record<string, string>> = {},
): { readonly asked: (readonly string[])[]; readonly calls: Parameters<typeof bring>[0] } {
  const asked: (readonly string[])[] = [];
  return {
    asked,
    calls: {
      fetched: () => ["svc"],
      download: async (args) => {
        asked.push(args);
        return said;
      },
      askRpm: async (args) => {
        const stdout = { ...headers, ...others }[args.at(-1) ?? ""] ?? "";
        return { status: stdout === "" ? 1 : 0, stdout, output: stdout };
      },
    },
  };
}

describe("what zypper brings", () => {
  test("is asked for with each version, and compared with what the list calls each file", async () => {
    const { asked, calls: whole } = calls(savedEnded("zypper/bring", 0));
    await expect(bring(whole, change("15.4.40-1"), planned)).resolves.toBeUndefined();
    expect(asked).toEqual([["--xmlout", "--no-refresh", "download", "--repo", "svc", "svc-ent=15.4.40-1", "libbar=1.0-1"]]);
  });

  test.each([
    ["for another machine", `${cache}/libbar-1.0-1.x86_64.rpm`, "libbar\t0\t1.0\t1\ts390x\n", "libbar 1.0-1 (s390x)"],
    ["no package", `${cache}/libbar-1.0-1.x86_64.rpm`, "", "no package for this host"],
  ])("is refused where a file is %s", async (_title, path, header, is) => {
    const { calls: other } = calls(savedEnded("zypper/bring", 0), { [path]: header });
    await expect(bring(other, change("15.4.40-1"), planned)).rejects.toMatchObject({
      code: "package-mislabelled",
      message: expect.stringContaining(`libbar 1.0-1 (x86_64), and ${path} is ${is}`) as string,
    });
  });

  test("is a failed download where nothing came, in zypper's own words", async () => {
    const output = '<message type="error">Package &apos;svc-ent&apos; not found.</message>\n';
    const { calls: none } = calls({ status: 104, stdout: output, output });
    await expect(bring(none, change("15.4.40-1"), planned)).rejects.toMatchObject({ code: "not-offered" });
    const { calls: silent } = calls({ status: 0, stdout: "", output: "" });
    await expect(bring(silent, change("15.4.40-1"), planned)).rejects.toMatchObject({ code: "download-failed" });
  });

  test("is done without a repository that had to be left out, and of several files of one name each is what its list says", async () => {
    const both: Readonly<Record<string, string>> = { [`${cache}/libbar-0.9-1.x86_64.rpm`]: "libbar\t0\t0.9\t1\tnoarch\n" };
    const said = savedEnded("zypper/bring", 106);
    const [first = "", ...rest] = said.stdout.split("<download-result>");
    const older = rest.find((one) => one.includes("<name>libbar<"))!.replaceAll("1.0", "0.9");
    const { calls: some } = calls(
      { ...said, stdout: [first, older.replace("<arch>x86_64<", "<arch>noarch<"), ...rest].join("<download-result>") },
      both,
    );
    const three = [...planned, { name: "libbar", version: "0.9-1", architecture: undefined }];
    await expect(bring(some, change("15.4.40-1"), three)).resolves.toBeUndefined();
    await expect(bring(some, change("15.4.40-1"), planned)).rejects.toMatchObject({ code: "package-mislabelled" });
    await expect(
      bring(some, change("15.4.40-1"), [...three, { name: "libmore", version: "1-1", architecture: undefined }]),
    ).rejects.toThrow("the repository offers libmore 1-1, and no file of it was fetched");
  });

  test("is told apart by its name where a whole set has one version", async () => {
    const said = savedEnded("zypper/bring", 0);
    const set = [planned[0]!, { name: "libbar", version: "15.4.40-1", architecture: undefined }];
    const data = `${cache}/libbar-1.0-1.x86_64.rpm`;
    const stdout = said.stdout.replace(/(<name>libbar<.*?version=")1\.0"/s, (_, before: string) => `${before}15.4.40"`);
    const { calls: some } = calls({ ...said, stdout }, { [data]: "libbar\t0\t15.4.40\t1\tx86_64\n" });
    await expect(bring(some, change("15.4.40-1"), set)).resolves.toBeUndefined();
    const { calls: foreign } = calls({ ...said, stdout }, { [data]: "libbar\t0\t15.4.40\t1\ts390x\n" });
    await expect(bring(foreign, change("15.4.40-1"), set)).rejects.toThrow("offers libbar 15.4.40-1 (x86_64), and");
  });

  test("is a failed download where zypper says so, whatever came", async () => {
    const { calls: failing } = calls({ ...savedEnded("zypper/bring", 8), output: "Error: something\n" });
    await expect(bring(failing, change("15.4.40-1"), planned)).rejects.toMatchObject({
      code: "download-failed",
      message: expect.stringContaining("zypper download svc-ent=15.4.40-1 failed with status 8") as string,
    });
  });

  test("is read out of XML, names with signs of it included", () => {
    const result = `<download-result><solvable><name>a&amp;b</name><edition epoch="5" version="1" release="2"/></solvable><localfile path="/x/a&quot;&apos;&lt;&gt;&other;.rpm"/></download-result>`;
    expect(parseBrought(result)).toEqual([
      { path: "/x/a\"'<>&other;.rpm", is: { name: "a&b", version: "5:1-2", architecture: undefined } },
    ]);
    for (const part of [/<name>.*<\/name>/, /<edition.*?>/, /<localfile.*>/])
      expect(parseBrought(result.replace(part, ""))).toEqual([]);
    expect(plainText('<message type="error">a &lt; b</message>')).toBe("a < b");
  });
});

describe("what a plan of zypper's would install", () => {
  test("is refused where a version is not told", async () => {
    const ask = (args: readonly string[]): Ended =>
      args.includes("--details") ? { status: 0, stdout: "", output: "" } : savedEnded("zypper/simulate-details", 0);
    const { calls: some } = stage({ installed: [present("15.4.39-1")], ask });
    await expect(plannedBy(some, change("15.4.40-1"))).rejects.toMatchObject({ code: "plan-refused" });
  });
});
