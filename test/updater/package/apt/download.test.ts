import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { bring } from "../../../../src/updater/package/apt/bring.ts";
import { askBuild } from "../../../../src/updater/package/apt/working-half.ts";
import { copyWhole, fetchFile, fetchIntoCache } from "../../../../src/updater/package/apt/fetch.ts";
import { download } from "../../../../src/updater/package/apt/download.ts";
import type { OfferedFile } from "../../../../src/updater/package/apt/offered-file.ts";
import type { Planned, WantedFile } from "../../../../src/updater/package/manager/manager.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";
import { saved } from "../saved.ts";
import { answering, failing, type Answer, type Answering, type Answers } from "./answers.ts";
import { agent, change, faultOf } from "./given.ts";

const folder = scratchFolder();
const archives = `${folder}/archives/`;
const kept = `${folder}/kept`;
const deb = "svc-ent_15.4.6_all.deb";
const lib = "libnew_1.0_all.deb";
const wanted: WantedFile = { name: agent, version: "15.4.6" as PackageVersion, is: "offered" };

beforeEach(() => {
  for (const path of [archives, kept]) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { recursive: true });
  }
});

function hashed(text: string, algorithm: OfferedFile["algorithm"] = "sha256"): string {
  return createHash(algorithm).update(text).digest("hex");
}

function offered(name: string, text: string, algorithm: OfferedFile["algorithm"] = "sha256"): OfferedFile {
  return { name, algorithm, hash: hashed(text, algorithm) };
}

const cache: Answers[number] = [/Dir::Cache::archives/, `ARCHIVES='${archives}'\n`];
const fetching = /--download-only/;

/** apt has the file in its cache once it has fetched it. */
function fetchingInto(calls: Answering, files: Readonly<Record<string, string>>): Answering {
  const act: Answering["act"] = (argv, what) => {
    if (fetching.test(argv.join(" ")))
      for (const [name, text] of Object.entries(files)) writeFileSync(`${archives}${name}`, text);
    return calls.act(argv, what);
  };
  return { ...calls, act };
}

/** Without the calls' options. */
function acted(calls: Answering): readonly string[] {
  return calls.acted.map((call) => call.replaceAll(/ -o \S+/g, "").replaceAll(folder, ""));
}

describe("a download", () => {
  test("is made where one is not there, and leaves the others", async () => {
    writeFileSync(`${archives}${deb}`, "agent");
    const calls = fetchingInto(answering([cache]), { [lib]: "lib" });
    expect(await download(calls, wanted, [offered(deb, "agent"), offered(lib, "lib")])).toEqual([
      `${archives}${deb}`,
      `${archives}${lib}`,
    ]);
    expect(acted(calls)).toHaveLength(1);
    expect(acted(calls)[0]).toMatch(/^apt-get .*--download-only install svc-ent=15\.4\.6$/);
  });

  test("is made again of what has another file's content", async () => {
    writeFileSync(`${archives}${deb}`, "lib");
    const calls = fetchingInto(answering([cache]), { [deb]: "agent", [lib]: "lib" });
    await download(calls, wanted, [offered(deb, "agent"), offered(lib, "lib")]);
    expect(acted(calls)[0]).toBe(`rm -f /archives/${deb}`);
  });

  test("of a repository on the host itself is where that has it", async () => {
    const calls = answering([cache, [/--print-uris/, `'file:${folder}/repo/x.deb' ${deb} 5 SHA256:00\n`]]);
    expect(await download(calls, wanted, [offered(deb, "agent")])).toEqual([`${folder}/repo/x.deb`]);
    expect(acted(calls)).toHaveLength(1);
  });

  test("is made apart where apt fetches nothing and says nothing: what is only unpacked", async () => {
    const calls = answering([cache]);
    expect(await download(calls, wanted, [offered(lib, "lib"), offered(deb, "agent")])).toEqual([
      `${archives}${lib}`,
      `${archives}${deb}`,
    ]);
    expect(acted(calls).slice(1)).toEqual([
      "env --chdir=/archives/partial apt-get -qq -y download svc-ent=15.4.6",
      `mv -f /archives/partial/${deb} /archives/${deb}`,
    ]);
  });

  const broken = failing("dpkg: error: x\n");
  test.each<{ title: string; rows: Answers; code: string }>([
    { title: "apt cannot tell what is wrong", rows: [[fetching, broken]], code: "download-failed" },
    { title: "the disk is full", rows: [[fetching, failing(saved("install-no-space.txt"))]], code: "no-space" },
    { title: "it is made apart", rows: [[/ download svc-ent/, broken]], code: "download-failed" },
  ])("that fails where $title is $code, and nothing was installed", async ({ rows, code }) => {
    const fault = await faultOf(download(answering([cache, ...rows]), wanted, [offered(deb, "agent")]));
    expect(fault.code).toBe(code);
    expect(fault.message).toMatch(/^apt-get (?:install --download-only|download) svc-ent=15\.4\.6 failed: /);
    if (code === "download-failed")
      expect(fault).toMatchObject({ hint: expect.stringContaining("apt-get") as string, cause: { code: "install-failed" } });
  });

  test("is not made over what cannot be read", async () => {
    mkdirSync(`${archives}${deb}`);
    const calls = answering([cache]);
    await expect(download(calls, wanted, [offered(deb, "agent")])).rejects.toThrow("EISDIR");
    expect(calls.acted).toEqual([]);
  });
});

const listed = (name: string, version: string, text: string): string =>
  `Package: ${name}\nVersion: ${version}\nArchitecture: all\nFilename: ./x.deb\nSize: 5\nSHA256: ${hashed(text)}\n\n`;

describe("a file that is fetched", () => {
  const rows = (text: string): Answers => [cache, [/^apt-cache show/, listed("svc-ent", "15.4.6", text)]];

  test("is copied out of the cache, readable for all, and leaves nothing else there", async () => {
    writeFileSync(`${archives}${deb}`, "agent");
    writeFileSync(`${kept}/.${deb}.new`, "left over");
    const umask = process.umask(0o077);
    try {
      expect(await fetchFile(answering(rows("agent"), "/"), wanted, kept)).toBe(deb);
    } finally {
      process.umask(umask);
    }
    expect(readdirSync(kept)).toEqual([deb]);
    expect(readFileSync(`${kept}/${deb}`, "utf8")).toBe("agent");
    expect(statSync(`${kept}/${deb}`).mode & 0o777).toBe(0o644);
  });

  test("is refused where what apt has fetched is not what the list names, and what was there stays", async () => {
    writeFileSync(`${kept}/${deb}`, "before");
    const calls = fetchingInto(answering(rows("agent"), "/"), { [deb]: "other" });
    expect(await faultOf(fetchFile(calls, wanted, kept))).toMatchObject({
      code: "download-failed",
      message: `${archives}${deb} is not what the repository's list names`,
      hint: "remove it, and try `sudo apt-get update`",
    });
    expect(readdirSync(kept)).toEqual([deb]);
    expect(readFileSync(`${kept}/${deb}`, "utf8")).toBe("before");
  });

  test("may stay in the cache", async () => {
    writeFileSync(`${archives}${deb}`, "agent");
    expect(await fetchIntoCache(answering(rows("agent")), wanted)).toBe(`${archives}${deb}`);
  });

  test("is none where nobody offers it any more", async () => {
    const fault = faultOf(fetchFile(answering([cache]), wanted, kept));
    expect(await fault).toMatchObject({
      code: "not-offered",
      message: "no repository of this host offers svc-ent 15.4.6, so its file cannot be fetched",
      hint: "see what they offer with `apt-cache policy svc-ent`",
    });
  });

  const unlisted: Answer = failing("E: No packages found\n");
  test.each([
    ["a file", (calls: Answering) => fetchFile(calls, wanted, kept), "show svc-ent=15.4.6"],
    ["a build", (calls: Answering) => askBuild(calls, wanted), "show svc-ent=15.4.6"],
    [
      "a plan",
      (calls: Answering) => bring(calls, change("15.4.6"), [{ name: "x", version: "1", architecture: "all" }]),
      "show svc-ent=15.4.6",
    ],
  ] as const)("of a version that apt cannot show is %s in apt's words", async (_title, work, typed) => {
    const fault = await faultOf(work(answering([cache, [/^apt-cache show/, unlisted]])));
    expect(fault).toMatchObject({ code: "install-failed", message: `apt-get ${typed} failed: E: No packages found` });
  });

  test("is a build by what the list says", async () => {
    expect(await askBuild(answering(rows("agent")), wanted)).toEqual({ sha256: hashed("agent"), bytes: 5 });
    const twice = listed("svc-ent", "15.4.6", "first") + listed("svc-ent", "15.4.6", "second");
    expect((await askBuild(answering([[/^apt-cache show/, twice]]), wanted)).sha256).toBe(hashed("first"));
  });
});

describe("a plan that is brought", () => {
  const planned: readonly Planned[] = [
    { name: "svc-ent", version: "15.4.6", architecture: "all" },
    { name: "libnew", version: "1.0", architecture: "all" },
  ];
  const control = (name: string, version: string): string => `Package: ${name}\nVersion: ${version}\nArchitecture: all\n`;
  const rows: Answers = [
    cache,
    [/^apt-cache show .* svc-ent=15\.4\.6 libnew=1\.0$/, listed("svc-ent", "15.4.6", "agent") + listed("libnew", "1.0", "lib")],
    [/^sh .*svc-ent_/, control("svc-ent", "15.4.6")],
  ];
  beforeEach(() => {
    writeFileSync(`${archives}${deb}`, "agent");
    writeFileSync(`${archives}${lib}`, "lib");
  });

  test("is refused where one says that it is something else", async () => {
    const fault = await faultOf(
      bring(answering([...rows, [/^sh .*libnew_/, control("evil", "1.0")]]), change("15.4.6"), planned),
    );
    expect(fault).toMatchObject({
      code: "package-mislabelled",
      message: `nothing was installed: the repository offers libnew 1.0 (all), and ${archives}${lib} is evil 1.0 (all)`,
    });
  });

  test("of nothing is nothing: nobody is asked", async () => {
    const calls = answering(rows);
    await bring(calls, change("15.4.6"), []);
    expect(calls.asked).toEqual([]);
  });
});

describe("a copy", () => {
  const copying = (source = `${folder}/source`, target = `${kept}/${deb}`): Parameters<typeof copyWhole>[0] => ({
    source,
    target,
    root: "/",
  });
  const content = { algorithm: "sha512", hash: hashed("agent", "sha512") } as const;
  beforeEach(() => writeFileSync(`${folder}/source`, "agent"));

  test("is told from a file of another content", async () => {
    expect(await copyWhole(copying(), content)).toBe("copied");
    expect(await copyWhole(copying(), { ...content, hash: "00" })).toBe("other-content");
    expect(readFileSync(`${kept}/${deb}`, "utf8")).toBe("agent");
  });

  test("into a directory that is not there is a fault that says where, and what to look at", async () => {
    rmSync(`${folder}/none`, { recursive: true, force: true });
    expect(await faultOf(copyWhole(copying(undefined, `${folder}/none/x`), content))).toMatchObject({ code: "file-failed" });
    expect(existsSync(`${folder}/none`)).toBe(false);
  });

  test("of what is not there is a fault that names it, and leaves nothing", async () => {
    const fault = await faultOf(copyWhole(copying(`${folder}/gone`), content));
    expect(fault.message).toContain(`${kept}: ${folder}/gone could not be copied there: `);
    expect(readdirSync(kept)).toEqual([]);
  });
});
