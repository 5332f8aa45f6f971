import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { aptManager } from "../../../src/updater/package/apt/apt-manager.ts";
import { transactDirectly } from "../../../src/updater/package/call/transact-directly.ts";
import type { FileSet, PackageManager } from "../../../src/updater/package/manager/manager.ts";
import { yumManager } from "../../../src/updater/package/yum/yum-manager.ts";
import { zypperManager } from "../../../src/updater/package/zypper/zypper-manager.ts";
import type { Command, CommandResult } from "../../../src/machine/processes/command.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import { agent, change } from "./apt/given.ts";
import { saved } from "./saved.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const root = scratchFolder();
const files: FileSet = [{ name: agent, version: "15.4.6" as PackageVersion, path: "/kept/x" }];
const planned = [{ name: agent, version: "15.4.6", architecture: "all" }];

/** A host on which nothing can be started. */
function starting(commands: Command[] = []): {
  run: (command: Command) => Promise<CommandResult>;
  transact: ReturnType<typeof transactDirectly>;
} {
  const run = async (command: Command): Promise<CommandResult> => {
    commands.push(command);
    return { kind: "not-started", reason: "other", message: "no memory" };
  };
  return { run, transact: transactDirectly(run) };
}

const steps: Readonly<Record<string, (manager: PackageManager) => Promise<unknown>>> = {
  inspect: (manager) => manager.inspect(agent),
  inspectAll: (manager) => manager.inspectAll([agent]),
  refresh: (manager) => manager.refresh(agent),
  offers: (manager) => manager.offers(agent),
  buildOf: (manager) => manager.buildOf(agent, "15.4.6" as PackageVersion),
  simulate: (manager) => manager.simulate(change("15.4.6")),
  bring: (manager) => manager.bring(change("15.4.6"), planned),
  fetch: (manager) => manager.fetch({ name: agent, version: "15.4.6" as PackageVersion, is: "offered" }, `${root}/kept`),
  install: (manager) => manager.install(change("15.4.6"), planned),
  installFiles: (manager) => manager.installFiles(change("15.4.6"), files),
  objectionToBack: (manager) => manager.objectionToBack({ after: files, before: files }),
  holdAgain: (manager) => manager.holdAgain(agent),
  mend: (manager) => manager.mend([agent]),
};

describe("where nothing can be started", () => {
  const managers = { apt: aptManager, yum: yumManager, zypper: zypperManager } as const;
  test.each(Object.keys(managers) as (keyof typeof managers)[])("%s says so, and bears its own name", async (name) => {
    expect(managers[name]({ ...starting(), root, proxies: {} }).name).toBe(name);
  });

  /** What is answered without any program, or with the reason why it cannot be. */
  const answers: Readonly<Record<string, unknown>> = {
    "yum objectionToBack": expect.stringContaining("rpm could not be started: no memory"),
    "zypper objectionToBack": expect.stringContaining("rpm could not be started: no memory"),
    "zypper buildOf": {},
    "zypper holdAgain": undefined,
  };
  const all = (Object.keys(managers) as (keyof typeof managers)[]).flatMap((name) =>
    Object.keys(steps).map((step) => [name, step] as const),
  );
  test.each(all)("%s says so at the step %s, and does not call it done", async (name, step) => {
    const work = Promise.resolve().then(() => steps[step]?.(managers[name]({ ...starting(), root, proxies: {} })));
    if (`${name} ${step}` in answers) expect(await work).toEqual(answers[`${name} ${step}`]);
    // Of dnf and zypper, where they are not installed at all, that is said instead.
    else
      await expect(work).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:os-failed|host-unsupported|file-failed)$/) as string,
        message: expect.stringMatching(/^(?:[a-z-]+ (?:could not be started: no memory|is not installed)$|\/)/) as string,
      });
  });
});

test.skipIf(existsSync("/usr/bin/zypper"))("zypper is not there where its program is not, whatever rpm says", async () => {
  const commands: Command[] = [];
  const zypper = zypperManager({ ...starting(commands), root, proxies: {} });
  await expect(zypper.inspect(agent)).rejects.toMatchObject({ code: "host-unsupported" });
  expect(commands).toEqual([]);
});

test("zypper below a root refreshes those of its repositories that offer the package, with no proxy of the agent's", async () => {
  mkdirSync(`${root}/etc/zypp/repos.d`, { recursive: true });
  writeFileSync(`${root}/etc/zypp/repos.d/svc.repo`, "[svc]\nname=The ours repository\nbaseurl=http://repo.test/svc\n");
  const commands: Omit<Command, "timeoutMs">[] = [];
  const offering = async (): Promise<CommandResult> => ({
    kind: "exited",
    status: 0,
    stdout: saved("zypper/offered.txt"),
    stderr: "",
  });
  const transact: ReturnType<typeof transactDirectly> = async (command) => (commands.push(command), offering());
  await zypperManager({ run: offering, transact, root, proxies: {} }).refresh(agent);
  expect(commands[0]?.argv.slice(-5)).toEqual(["--root", root, "--quiet", "refresh", "svc"]);
  expect(commands[0]?.env).toMatchObject({ ZYPP_LOCK_TIMEOUT: "60", http_proxy: "", HTTPS_PROXY: "" });
});

describe("apt's programs", () => {
  const answering = (commands: Command[], stdout = ""): Parameters<typeof aptManager>[0]["run"] => {
    return async (command) => (commands.push(command), { kind: "exited", status: 0, stdout, stderr: "" });
  };
  const manager = (commands: Command[], stdout?: string, more: object = {}): PackageManager => {
    const run = answering(commands, stdout);
    return aptManager({ run, transact: transactDirectly(run), root, proxies: {}, ...more });
  };

  test("are given as long as they may take: a database 20 seconds, a question two minutes, a transaction half an hour", async () => {
    const commands: Command[] = [];
    const apt = manager(commands);
    await apt.inspect(agent);
    await apt.inspectAll([agent]);
    await apt.offers(agent);
    await apt.holdAgain(agent);
    expect(commands.map(({ timeoutMs }) => timeoutMs / 1000)).toEqual([20, 20, 120, 1800]);
    expect(commands.every(({ env }) => env["LC_ALL"] === "C.UTF-8")).toBe(true);
    expect(commands[0]?.argv.join(" ")).toContain(`--admindir=${root}/var/lib/dpkg`);
  });

  test("are not asked of nothing", async () => {
    const commands: Command[] = [];
    expect(await manager(commands).inspectAll([])).toEqual([]);
    expect(commands).toEqual([]);
  });

  test("are asked for the routes once, and told them where they may reach out", async () => {
    const commands: Command[] = [];
    const apt = manager(commands, "'http://a.test/x/InRelease' a.test 0 \n", {
      proxies: { HTTP_PROXY: "http://p.test:1", NO_PROXY: "b.test" },
    });
    await apt.install(change("15.4.6"), planned);
    await apt.install(change("15.4.6"), planned);
    const lines = commands.map(({ argv }) => argv.join(" "));
    expect(lines.filter((line) => line.includes("--print-uris"))).toHaveLength(1);
    expect(lines.filter((line) => / -c \S+\/apt-routes\.conf /.test(line))).toHaveLength(2);
    expect(commands.at(-1)?.env["no_proxy"]).toBe(".b.test");
    await apt.holdAgain(agent);
    expect(commands.at(-1)?.argv).not.toContain("-c");
    expect(commands.at(-1)?.env["no_proxy"]).toBe("");
  });

  test("that cannot tell what the sources are are not called further", async () => {
    const run = async (): Promise<CommandResult> => ({ kind: "exited", status: 100, stdout: "", stderr: "E: Malformed entry 1" });
    const apt = aptManager({ run, transact: transactDirectly(run), root, proxies: { HTTP_PROXY: "http://p.test:1" } });
    await expect(apt.install(change("15.4.6"), planned)).rejects.toMatchObject({
      message: "apt-get update --print-uris failed: E: Malformed entry 1",
    });
  });
});
