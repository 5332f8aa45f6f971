import { appendFileSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CommandResult } from "../../../../src/machine/processes/command.ts";
import { roomAt } from "../../../../src/machine/files/free-space.ts";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import { largestFile } from "../../../../src/updater/package/rpm/largest-file.ts";
import type { Transact } from "../../../../src/updater/package/call/transact.ts";
import { actYum } from "../../../../src/updater/package/yum/act.ts";
import type { YumArguments, YumCalls } from "../../../../src/updater/package/yum/calls.ts";
import type { ProxyVariables } from "../../../../src/rules/route/route.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";
import { rpmThatSays } from "../rpm/says.ts";
import { saved, savedEnded } from "../saved.ts";

const scratch = scratchFolder();
const went: CommandResult = { kind: "exited", status: 0, stdout: "Complete!\n", stderr: "" };

type Acted = Omit<Parameters<Transact>[0], "argv"> & { readonly argv: readonly string[]; readonly keys: string };
type Host = {
  readonly calls: ReturnType<typeof actYum>;
  readonly root: string;
  readonly acted: Acted[];
  readonly asked: string[];
};
type Scene = {
  readonly proxies?: ProxyVariables;
  readonly repositories?: Ended;
  readonly does?: (root: string) => CommandResult;
};

/** dnf below a root of its own; what it is given to read is read while it works. */
function host({ proxies = {}, repositories = savedEnded("yum/repositories", 0), does = () => went }: Scene = {}): Host {
  const root = mkdtempSync(`${scratch}/root-`);
  mkdirSync(join(root, "var/log"), { recursive: true });
  const acted: Acted[] = [];
  const asked: string[] = [];
  const asking: Pick<YumCalls, "ask" | "program"> = {
    program: "dnf",
    ask: async (args: YumArguments) => {
      asked.push(args.join(" "));
      return repositories;
    },
  };
  const transact: Transact = async (command) => {
    const keyFile = command.argv.find((word) => word.includes("gpgkey"))?.split("file://")[1];
    acted.push({ ...command, keys: keyFile === undefined ? "" : readFileSync(keyFile, "utf8") });
    return does(root);
  };
  const calls = actYum(asking, { run: rpmThatSays("-----BEGIN PGP\n").run, root, transact, proxies });
  return { calls, root, acted, asked };
}

describe("what dnf is let do", () => {
  test("is done below the root, past no lock of dnf's, with no key but those that rpm trusts, and no proxy but ours", async () => {
    const { calls, root, acted } = host();
    expect(await calls.act(["install", "svc-ent"], "install svc-ent")).toEqual({
      status: 0,
      stdout: "Complete!\n",
      output: "Complete!\n\n",
    });
    const [{ argv, env, what, keys }] = acted as [Acted];
    expect(argv.map((word) => word.replace(/svc-upgrade-call-\w+/, "*"))).toEqual([
      "dnf",
      `--installroot=${root}`,
      "--noplugins",
      "-y",
      "--color=never",
      "--debuglevel=2",
      "--errorlevel=3",
      "--setopt=exit_on_lock=True",
      "--setopt=*.gpgkey=file:///tmp/*/yum-keys.asc",
      "--setopt=*.timeout=30",
      "--setopt=*.retries=2",
      "install",
      "svc-ent",
    ]);
    expect([what, keys]).toEqual(["install svc-ent", "-----BEGIN PGP\n"]);
    expect(env).toMatchObject({ LC_ALL: "C.UTF-8", http_proxy: "", HTTPS_PROXY: "" });
  });

  test.each<{ title: string; proxies: ProxyVariables; without: readonly string[] }>([
    { title: "every address, where no variable speaks", proxies: {}, without: [] },
    { title: "https", proxies: { HTTP_PROXY: "http://proxy.test:3128" }, without: ["dead", "mirrored", "mixed"] },
  ])("keeps the configuration's own proxy for $title", async ({ proxies, without }) => {
    const some = savedEnded("yum/repositories", 0);
    const output = `Repo-id            : mixed\nRepo-baseurl       : https://a.test/, http://b.test/\n\n${some.output}`;
    const { calls, acted } = host({ proxies, repositories: { ...some, output } });
    await calls.act(["makecache"], "refresh");
    const switched = acted[0]?.argv.flatMap((word) => /^--setopt=(.*)\.proxy=$/.exec(word)?.[1] ?? []);
    expect(switched?.toSorted()).toEqual(without);
    const [[scheme, proxy] = ["http_proxy", ""]] = Object.entries(proxies).map(([name, url]) => [name.toLowerCase(), url]);
    expect(acted[0]?.env[scheme]).toBe(proxy);
  });

  test("asks once for the repositories, and not at all where dnf cannot tell them", async () => {
    const { calls, asked } = host();
    await calls.act(["makecache"], "refresh");
    await calls.download(["makecache"], "refresh");
    expect((await calls.repositories()).ignored).toEqual(["dead", "mirrored"]);
    expect(asked).toEqual(["repoinfo --all"]);
    const mute = host({ repositories: savedEnded("yum/lock-rpm-held", 1) });
    await expect(mute.calls.act(["makecache"], "refresh")).rejects.toMatchObject({
      code: "manager-busy",
      message: expect.stringMatching(/^dnf repoinfo failed: /) as string,
    });
    expect(mute.acted).toEqual([]);
  });

  test("is told with what the scripts of packages printed meanwhile, which dnf keeps to its log", async () => {
    const does = (root: string): CommandResult => {
      appendFileSync(join(root, "var/log/dnf.rpm.log"), saved("yum/script-log-post.txt"));
      return went;
    };
    const { calls, root } = host({ does });
    appendFileSync(join(root, "var/log/dnf.rpm.log"), "2026-11-20T22:45:42+0000 INFO of yesterday\n");
    const { output } = await calls.act(["install", "svc-ent"], "install svc-ent");
    expect(output).toContain("svc-ent: the postinst fails\nwarning: %post(svc-ent-15.6.0-1.x86_64) scriptlet failed");
    expect(output).not.toContain("yesterday");
  });

  test("is held to a gibibyte a file where it only downloads, and says so where one had room for it", async () => {
    const full = savedEnded("yum/download-no-space", 1);
    const { calls, acted, root } = host({ does: () => ({ ...went, status: 1, stdout: full.stdout, stderr: full.output }) });
    const cut = await calls.download(["makecache"], "refresh");
    expect(acted[0]?.argv.slice(0, 5)).toEqual(["env", "--ignore-signal=XFSZ", "prlimit", "--fsize=1073741824", "--"]);
    expect(acted[0]?.argv[5]).toBe("dnf");
    expect(cut.output.includes("more than 1 GiB came")).toBe(roomAt(root).freeBytes >= largestFile);
    // Where it was to go there is no room at all.
    expect((await calls.download(["makecache"], "refresh", "/proc")).output).not.toContain("more than 1 GiB came");
  });

  test("takes damaged caches away, however they are called", async () => {
    const { calls, acted } = host();
    await calls.removeCaches(["/var/cache/dnf/a b.solv", "/var/cache/dnf/-x"]);
    expect(acted[0]?.argv).toEqual(["rm", "-rf", "--", "/var/cache/dnf/a b.solv", "/var/cache/dnf/-x"]);
  });
});
