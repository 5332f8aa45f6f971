import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../../../src/machine/processes/command.ts";
import type { PackageManager } from "../../../../src/updater/package/manager/manager.ts";
import type { Transact } from "../../../../src/updater/package/call/transact.ts";
import { zypperManager } from "../../../../src/updater/package/zypper/zypper-manager.ts";
import type { ProxyVariables } from "../../../../src/rules/route/route.ts";
import { saved } from "../saved.ts";
import { agent } from "./calls.ts";

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "svc-upgrade-zypper-"))));
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

type Acted = Parameters<Transact>[0] & { readonly repositories: readonly string[] };
type Host = { readonly zypper: PackageManager; readonly asked: Command[]; readonly acted: Acted[] };

/** The manager of a root whose programs answer what was saved. */
function host(proxies: ProxyVariables = {}): Host {
  const asked: Command[] = [];
  const acted: Acted[] = [];
  const done = (stdout: string): CommandResult => ({ kind: "exited", status: 0, stdout, stderr: "" });
  const zypper = zypperManager({
    root,
    proxies,
    run: (command) => {
      asked.push(command);
      return Promise.resolve(done(saved("zypper/offered.txt")));
    },
    transact: async (command) => {
      const folder = command.argv[command.argv.indexOf("--reposd-dir") + 1] ?? "";
      const names = command.argv.includes("--reposd-dir") ? (await readdir(folder)).toSorted() : [];
      acted.push({ ...command, repositories: await Promise.all(names.map((name) => readFile(join(folder, name), "utf8"))) });
      return done("");
    },
  });
  return { zypper, asked, acted };
}

const ours = "[svc]\nname=The ours repository\nbaseurl=http://repo.test/svc\n";
const foreign = "[foreign]\nbaseurl=https://foreign.test/\nproxy=http://own.test:1\n";

describe("zypper below a root", () => {
  test("answers from what was fetched, without lock, in a fixed language", async () => {
    await put("etc/zypp/repos.d/svc.repo", ours);
    await put("etc/zypp/repos.d/never.repo", "[never]\nbaseurl=http://127.0.0.1:9/\n");
    await put("var/cache/zypp/solv/svc/solv", "");
    const { zypper, asked } = host();
    expect((await zypper.offers(agent))[0]).toBe("15.4.9-1");
    const [question] = asked;
    expect(question?.argv.slice(0, 6)).toEqual(["zypper", "--non-interactive", "--terse", "--no-cd", "--root", root]);
    expect(question?.argv.slice(-3)).toEqual(["--repo", "svc", agent]);
    expect(question?.env).toMatchObject({ ZYPP_READONLY_HACK: "1", LC_ALL: "C.UTF-8", LANGUAGE: "" });
  });

  test("waits for its lock only so long where it changes something, and nothing slips in from the agent's variables", async () => {
    await put("etc/zypp/repos.d/svc.repo", ours);
    const { zypper, acted } = host();
    await zypper.refresh(agent);
    expect(acted[0]?.argv.slice(-2)).toEqual(["refresh", "svc"]);
    expect(acted[0]?.env).toMatchObject({ ZYPP_LOCK_TIMEOUT: "60", http_proxy: "", HTTPS_PROXY: "", NO_PROXY: "" });
    expect(acted[0]?.env).not.toHaveProperty("ZYPP_READONLY_HACK");
    expect(acted[0]?.repositories).toEqual([]);
  });

  test("is shown all repositories with our routes where one has a proxy of its own, and no password in its arguments", async () => {
    await put("etc/zypp/repos.d/a.repo", ours);
    await put("etc/zypp/repos.d/b.repo", foreign);
    const { zypper, acted } = host({ HTTPS_PROXY: "http://user:secret@proxy.test:3128", NO_PROXY: "repo.test" });
    await zypper.refresh(agent);
    expect(acted[0]?.repositories).toEqual([
      ours,
      "[foreign]\nbaseurl=https://foreign.test/?proxy=http%3A%2F%2Fproxy.test&proxyport=3128&proxyuser=user&proxypass=secret\n",
    ]);
    expect(acted[0]?.argv.join(" ")).not.toContain("secret");
    expect(await readdir(join(root, "var/lib/svc-upgrade"))).toEqual([]);
  });

  test.skipIf(existsSync("/usr/bin/zypper"))("is not there where the program is not, whatever rpm says", async () => {
    const { zypper, asked } = host();
    await expect(zypper.inspect(agent)).rejects.toMatchObject({ code: "host-unsupported" });
    expect(asked).toEqual([]);
  });
});
