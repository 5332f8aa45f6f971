import { appendFile, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CommandResult } from "../../../../src/machine/processes/command.ts";
import { roomAt } from "../../../../src/machine/files/free-space.ts";
import { largestFile } from "../../../../src/updater/package/rpm/largest-file.ts";
import type { Transact } from "../../../../src/updater/package/call/transact.ts";
import { actThroughZypper } from "../../../../src/updater/package/zypper/act.ts";
import { askZypper } from "../../../../src/updater/package/zypper/ask.ts";
import type { ProxyVariables } from "../../../../src/rules/route/route.ts";
import { saved, savedEnded } from "../saved.ts";
import { agent } from "./calls.ts";

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "svc-upgrade-zypper-"))));
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await appendFile(join(root, path), text);
}

type Called = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly more: object;
  /** What it was shown instead of what lies on the host, by the path below the directory of the call. */
  readonly shown: Readonly<Record<string, string>>;
};

const went: CommandResult = { kind: "exited", status: 0, stdout: "done\n", stderr: "" };

/** zypper below the root; what a call is shown is read while it works. */
function zypper(proxies: ProxyVariables = {}, does: () => Promise<CommandResult> = async () => went) {
  const called: Called[] = [];
  const run = async ({ argv, env, ...more }: Omit<Parameters<Transact>[0], "what"> & object): Promise<CommandResult> => {
    const directory = env["ZYPP_CONF"] === undefined ? undefined : dirname(env["ZYPP_CONF"]);
    const names = directory === undefined ? [] : await readdir(directory, { recursive: true, withFileTypes: true });
    const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    const shown = await Promise.all(
      files.map(async (file) => [file.slice(directory!.length + 1), await readFile(file, "utf8")] as const),
    );
    called.push({ argv, env, more, shown: Object.fromEntries(shown) });
    return does();
  };
  const effects = { root, proxies, run, transact: run as Transact };
  return { called, ask: askZypper(effects), ...actThroughZypper(effects) };
}

const ours = "[svc]\nname=Ours\nbaseurl=http://repo.test/svc\nproxy=http://own.test:1\n";
const proxied = "[svc]\nname=Ours\nbaseurl=http://repo.test/svc?proxy=http%3A%2F%2Fproxy.test&proxyport=3128\n";
const proxies = { HTTP_PROXY: "http://proxy.test:3128" };
const base = (): readonly string[] => ["zypper", "--non-interactive", "--terse", "--no-cd", "--root", root];

describe("what zypper is let do", () => {
  test("is done with a patience of ours, by the routes of every other hop, and without a lock that is lifted", async () => {
    await put("etc/zypp/repos.d/svc.repo", ours);
    await put("etc/zypp/locks", "solvable_name: svc-ent\n\nsolvable_name: other\n");
    const { called, act } = zypper(proxies);
    const { output } = await act(["install", agent], { what: "install svc-ent", unheld: agent });
    const [{ argv, env, more, shown }] = called as [Called];
    expect(argv.slice(0, 6)).toEqual(base());
    expect(argv.slice(6).map((word) => word.replace(/zypper-\w+\/repos/, "*/repos"))).toEqual([
      "--reposd-dir",
      `${root}/var/lib/svc-upgrade/*/repos.d`,
      "install",
      agent,
    ]);
    expect(env).toMatchObject({ ZYPP_LOCK_TIMEOUT: "60", http_proxy: "http://proxy.test:3128", LC_ALL: "C.UTF-8" });
    expect(more).toEqual({ what: "install svc-ent", output: "journal" });
    expect(Object.keys(shown).toSorted()).toEqual(["locks", "repos.d/svc.repo", "zypp.conf"]);
    expect([shown["locks"], shown["repos.d/svc.repo"]]).toEqual(["solvable_name: other\n", proxied]);
    expect(shown["zypp.conf"]).toContain("download.transfer_timeout = 30\n");
    expect(shown["zypp.conf"]).toContain("locksfile.path = ");
    expect(output).toBe("done\n\n");
  });

  test("is done as the host says where nothing has to be told otherwise, but for the patience", async () => {
    await put("etc/zypp/repos.d/svc.repo", ours);
    const { called, act } = zypper();
    await act(["refresh"], { what: "refresh", unheld: undefined });
    expect(called[0]?.argv).toEqual([...base(), "refresh"]);
    expect(Object.keys(called[0]?.shown ?? {})).toEqual(["zypp.conf"]);
    expect(called[0]?.shown["zypp.conf"]).not.toContain("locksfile.path");
  });

  test("stays out of the journal where it is written for programs", async () => {
    const { called, download } = zypper();
    await download(["--xmlout", "download"], "download svc-ent");
    expect(called[0]?.more).toEqual({ what: "download svc-ent", output: "apart" });
  });

  test("is told with what the scripts of packages printed meanwhile, which zypper keeps to its history", async () => {
    await put("var/log/zypp/history", "# rpm output:\n# of yesterday\n");
    const { act } = zypper({}, async () => {
      await put("var/log/zypp/history", saved("zypper/script-log-post.txt"));
      return went;
    });
    const { output } = await act(["install", agent], { what: "install", unheld: undefined });
    expect(output).toContain("svc-ent: the postinst fails\nwarning: %post(svc-ent-15.6.0-1.x86_64) scriptlet failed");
    expect(output).not.toContain("yesterday");
  });

  test("is held to a gibibyte a file where it only downloads, and says so where one had room for it", async () => {
    const { output } = savedEnded("zypper/refresh-cut-off", 4);
    const { called, download } = zypper({}, async () => ({ ...went, status: 4, stdout: output }));
    const cut = await download(["refresh"], "refresh");
    const held = ["env", "--ignore-signal=XFSZ", "prlimit", "--fsize=1073741824", "--"];
    expect(called[0]?.argv).toEqual([...held, ...base(), "refresh"]);
    expect(cut.output.includes("more than 1 GiB came")).toBe(roomAt(root).freeBytes >= largestFile);
    // Where it was to go there is no room at all.
    expect((await download(["refresh"], "refresh", "/proc")).output).not.toContain("more than 1 GiB came");
  });

  test("takes damaged caches away, however they are called", async () => {
    const { called, removeCaches } = zypper();
    await removeCaches(["/var/cache/zypp/solv/a b"]);
    expect(called[0]).toMatchObject({
      argv: ["rm", "-rf", "--", "/var/cache/zypp/solv/a b"],
      more: { what: "remove damaged caches" },
    });
  });
});

describe.skipIf(process.getuid?.() !== 0)("a question of root's to zypper", () => {
  test("needs neither lock nor directory where nothing has to be told otherwise, and may take as long as a slow disk needs", async () => {
    await put("etc/zypp/repos.d/svc.repo", ours);
    const { called, ask } = zypper();
    await ask(["search"]);
    expect(called).toMatchObject([{ argv: [...base(), "search"], shown: {}, more: { timeoutMs: 120_000 } }]);
    expect(called[0]?.env).toMatchObject({ ZYPP_READONLY_HACK: "1", LC_ALL: "C.UTF-8" });
    await expect(readdir(join(root, "var"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("is asked with the addresses of the calls that fetch: for others a cache is none", async () => {
    await put("etc/zypp/repos.d/svc.repo", ours);
    const { called, ask } = zypper(proxies);
    await ask(["search"]);
    expect(called[0]?.shown["repos.d/svc.repo"]).toBe(proxied);
    // zypper fetches missing lists in spite of --no-refresh: a question leads nowhere.
    const nowhere = "http://127.0.0.1:1";
    expect(called[0]?.env).toMatchObject({ http_proxy: nowhere, https_proxy: nowhere, no_proxy: "" });
  });

  test("plans past the lock that a change would lift", async () => {
    await put("etc/zypp/locks", "solvable_name: svc-ent\n");
    const { called, ask } = zypper();
    await ask(["install", "--dry-run"], agent);
    expect(called[0]?.shown["locks"]).toBe("");
    expect(called[0]?.argv).toEqual([...base(), "install", "--dry-run"]);
  });
});
