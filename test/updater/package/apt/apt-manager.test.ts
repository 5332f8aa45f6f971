import { execFileSync } from "node:child_process";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askApt } from "../../../../src/updater/package/apt/ask.ts";
import { contentsIn } from "../../../../src/updater/package/apt/contents.ts";
import { aptManager } from "../../../../src/updater/package/apt/apt-manager.ts";
import { transactDirectly } from "../../../../src/updater/package/call/transact-directly.ts";
import { agent, change, faultOf } from "./given.ts";
import { aptHost, writeStatus, type Host } from "./on-host.ts";
import { runBehind } from "../run.ts";
import { asRoot, scratchWith, missingTools, type Built } from "../scratch.ts";

const missing = missingTools();

const stock: readonly Built[] = [
  { name: "svc-ent", version: "15.4.5", paths: ["opt/svc/größe and more"] },
  { name: "svc-ent", version: "15.4.6-1" },
  { name: "svc-ent", version: "15.4.6-2" },
  { name: "svc-ent", version: "15.4.7~rc.1-1" },
  { name: "svc-ent", version: "5:15.4.5-1" },
  { name: "svc-ent", version: "16.0.0", control: "Depends: libnew" },
  { name: "svc-ent", version: "16.1.0", control: "Depends: libbreaks, virtual-thing" },
  { name: "svc-ent", version: "16.2.0", control: "Depends: nowhere (>= 2)" },
  { name: "svc-ent", version: "16.3.0", control: "Recommends: libnew" },
  { name: "svc-ent", version: "17.0.0", postinst: "#!/bin/sh\nexit 1\n" },
  { name: "svc-tool", version: "1.0", control: "Depends: svc-ent (<< 16)" },
  { name: "libnew", version: "1.0" },
  { name: "libbreaks", version: "1.0", control: "Breaks: bystander (<< 2)" },
  { name: "provider", version: "1.0", control: "Provides: virtual-thing" },
  { name: "bystander", version: "1.0" },
  { name: "bystander", version: "2.0" },
  { name: "watcher", version: "1.0", postinst: "#!/bin/sh\nexit 1\n", triggers: "interest /usr/share/svc-ent" },
];

const { scratch, repository } = await scratchWith(stock);

/** A root of its own, with the stock offered, the lists fetched, and these packages installed. */
async function host(installed: readonly string[], sources: Readonly<Record<string, string>> = {}): Promise<Host> {
  const made = await aptHost(scratch, { "ours.list": `deb [trusted=yes] file:${repository} ./\n`, ...sources });
  await made.apt.refresh(agent);
  if (installed.length > 0) made.command("apt-get", "-qq", "-y", "install", ...installed);
  return made;
}

/** How to be nobody in particular, with the root handed over to it. */
async function ordinaryUser(root: string): Promise<readonly string[]> {
  if (process.getuid?.() !== 0) return [];
  await chmod(scratch.directory, 0o755);
  execFileSync("chown", ["-R", "65534:65534", root]);
  return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
}

describe.skipIf(missing !== undefined)("apt, for real, below a root of its own", () => {
  test("knows nothing of a package that was never installed", async () => {
    const { apt } = await host([]);
    expect(await apt.inspect(agent)).toEqual({ kind: "absent" });
  });

  test("upgrades to exactly the version asked for, though a higher one is offered", async () => {
    const { apt, root } = await host(["svc-ent=15.4.5"]);
    await apt.simulate(change("15.4.6-1"));
    await apt.install(change("15.4.6-1"));
    const installed = { kind: "present", packageVersion: "15.4.6-1", version: "15.4.6", condition: "whole", isHeld: false };
    expect(await apt.inspect(agent)).toEqual(installed);
    expect(await readFile(join(root, "usr/share/svc-ent/version"), "utf8")).toBe("15.4.6-1\n");
  });

  test("goes down only when it is told that it goes down", async () => {
    const { apt } = await host(["svc-ent=15.4.6-1"]);
    expect(await faultOf(apt.install(change("15.4.5")))).toMatchObject({ code: "plan-refused" });
    await apt.simulate(change("15.4.5", { direction: "down" }));
    await apt.install(change("15.4.5", { direction: "down" }));
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5" });
  });

  test("puts a file back by installing the same version again", async () => {
    const { apt, root } = await host(["svc-ent=15.4.5"]);
    const file = join(root, "usr/share/svc-ent/version");
    await writeFile(file, "damaged\n");
    await apt.install(change("15.4.5", { direction: "same" }));
    expect(await readFile(file, "utf8")).toBe("15.4.5\n");
  });

  describe("puts back the version that is there", () => {
    test.each(["ok triggers-awaited", "ok triggers-pending", "reinstreq half-installed"])(
      "where dpkg calls it %s",
      async (state) => {
        const { apt, root, command } = await host(["svc-ent=15.4.5"]);
        const file = join(root, "usr/share/svc-ent/version");
        await writeStatus(root, `install ${state}`);
        await writeFile(file, "damaged\n");
        await apt.simulate(change("15.4.5", { direction: "same" }));
        await apt.install(change("15.4.5", { direction: "same" }));
        expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "whole" });
        expect(command("dpkg", `--admindir=${root}/var/lib/dpkg`, "--audit")).toBe("");
        expect(await readFile(file, "utf8")).toBe("15.4.5\n");
      },
    );

    test("and its hold, where it is half-configured", async () => {
      const { apt, root, command } = await host(["svc-ent=15.4.5"]);
      command("apt-mark", "hold", "svc-ent");
      await writeStatus(root, "hold ok half-configured");
      await apt.install(change("15.4.5", { direction: "same", hold: "lifted" }));
      expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "whole", isHeld: true });
    });
  });

  describe("beside a package whose script fails", () => {
    async function besideWatcher(): Promise<Host> {
      const made = await host(["svc-ent=15.4.5"]);
      // Its own installation fails too: there is no shell below this root.
      expect(() => made.command("apt-get", "-qq", "-y", "install", "watcher")).toThrow("watcher");
      return made;
    }

    test.each([
      ["triggered by the agent's files", "install ok installed"],
      ["half configured since before", "install ok half-configured"],
    ])("%s, what is done is done: up, down and over itself", async (_title, status) => {
      const { apt, root } = await besideWatcher();
      const file = join(root, "usr/share/svc-ent/version");
      for (const [to, direction] of [
        ["15.4.6-1", "up"],
        ["15.4.6-1", "same"],
        ["15.4.5", "down"],
      ] as const) {
        await writeStatus(root, status, "watcher");
        await writeFile(file, "damaged\n");
        await apt.install(change(to, { direction }));
        expect(await apt.inspect(agent)).toMatchObject({ packageVersion: to, condition: "whole" });
        expect(await readFile(file, "utf8")).toBe(`${to}\n`);
        await writeStatus(root, status, "watcher");
        await writeFile(file, "damaged\n");
        await apt.installFile(change(to, { direction: "same" }), join(repository, `svc-ent_${to}_all.deb`));
        expect(await readFile(file, "utf8")).toBe(`${to}\n`);
      }
    });

    test("what was not done is not", async () => {
      const { apt } = await besideWatcher();
      expect(await faultOf(apt.install(change("17.0.0")))).toMatchObject({ code: "install-failed" });
      expect(await faultOf(apt.install(change("17.0.0", { direction: "same" })))).toMatchObject({ code: "install-failed" });
    });
  });

  test("respects a hold, and puts a lifted one back", async () => {
    const { apt, command } = await host(["svc-ent=15.4.5"]);
    command("apt-mark", "hold", "svc-ent");
    expect(await apt.inspect(agent)).toMatchObject({ isHeld: true, condition: "whole" });
    expect(await faultOf(apt.install(change("15.4.6-1")))).toMatchObject({ code: "plan-refused" });
    await apt.install(change("15.4.6-1", { hold: "lifted" }));
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.6-1", isHeld: true });
  });

  test.each([
    { title: "a removal", to: "16.0.0", installed: ["svc-ent=15.4.5", "svc-tool"], says: "remove svc-tool" },
    { title: "a change of a bystander", to: "16.1.0", installed: ["svc-ent=15.4.5", "bystander=1.0"], says: "change bystander," },
    { title: "a dependency that nobody offers", to: "16.2.0", installed: ["svc-ent=15.4.5"], says: "Depends: nowhere (>= 2)" },
  ])("refuses $title, and names it", async ({ to, installed, says }) => {
    const { apt } = await host(installed);
    const fault = await faultOf(apt.simulate(change(to)));
    expect(fault).toMatchObject({ code: "plan-refused" });
    expect(fault.message).toContain(says);
  });

  test("never removes, not even when asked without a simulation", async () => {
    const { apt, command, root } = await host(["svc-ent=15.4.5", "svc-tool"]);
    expect(await faultOf(apt.install(change("16.0.0")))).toMatchObject({ code: "plan-refused" });
    expect(command("dpkg-query", `--admindir=${root}/var/lib/dpkg`, "-W", "svc-tool")).toContain("1.0");
  });

  test("takes a new dependency along, but nothing that is merely recommended", async () => {
    const { apt, root } = await host(["svc-ent=15.4.5"]);
    await apt.simulate(change("16.3.0"));
    await apt.install(change("16.3.0"));
    expect(await readdir(join(root, "usr/share"))).toEqual(["svc-ent"]);
    await apt.simulate(change("16.1.0", { direction: "down" }));
    await apt.install(change("16.1.0", { direction: "down" }));
    expect(await readdir(join(root, "usr/share"))).toEqual(["libbreaks", "provider", "svc-ent"]);
  });

  test("refreshes the sources that offer the package, beside a dead one of somebody else", async () => {
    const growing = await scratch.repository("growing", [{ name: "svc-ent", version: "15.4.5" }]);
    const dead = "Types: deb\nURIs: http://127.0.0.1:9/dead\nSuites: ./\nTrusted: yes\n";
    const { apt, root } = await host([], { "ours.list": `deb [trusted=yes] file:${growing} ./\n` });
    // Later than the first refresh, which asks every source and tries a dead one for seconds.
    await writeFile(join(root, "etc/apt/sources.list.d/dead.sources"), dead);
    await scratch.repository("growing", [
      { name: "svc-ent", version: "15.4.5" },
      { name: "svc-ent", version: "15.4.9" },
    ]);
    await apt.refresh(agent);
    expect(await apt.offers(agent)).toEqual(["15.4.9", "15.4.5"]);
    expect((await readdir(join(root, "var/lib/apt/lists"))).filter((name) => name.includes("dead"))).toEqual([]);
  });

  test("tells the files in a package's file as they are called", async () => {
    const { root } = await host([]);
    const calls = { ask: askApt(runBehind(asRoot), root), root };
    const found = await contentsIn(calls, join(repository, "svc-ent_15.4.5_all.deb"));
    expect([...found].sort()).toEqual(["/opt/svc/größe and more", "/usr/share/svc-ent/version"]);
    expect(await contentsIn(calls, "/nonexistent.deb")).toEqual([]);
  });

  test("touches nothing of the machine", async () => {
    const watched = [
      "/var/lib/dpkg/status",
      "/var/log/dpkg.log",
      "/var/log/apt/history.log",
      "/var/lib/apt/lists",
      "/var/cache/apt",
    ];
    const seen = (): Promise<readonly number[]> =>
      Promise.all(
        watched.map((path) =>
          stat(path).then(
            (found) => found.mtimeMs,
            () => 0,
          ),
        ),
      );
    const before = await seen();
    const { apt, root } = await host(["svc-ent=15.4.5"]);
    await apt.install(change("15.4.6-1"));
    expect(await seen()).toEqual(before);
    expect(await readFile(join(root, "var/log/dpkg.log"), "utf8")).toContain("status installed svc-ent:all 15.4.6-1");
  });

  test("works as an ordinary user who is root of a user namespace", async () => {
    const { root } = await host(["svc-ent=15.4.5"]);
    const prefix = await ordinaryUser(root);
    const run = runBehind([...prefix, "unshare", "-r"]);
    const apt = aptManager({ run, transact: transactDirectly(run), root, proxies: {} });
    await apt.refresh(agent);
    await apt.install(change("15.4.6-1"), await apt.simulate(change("15.4.6-1")));
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.6-1", condition: "whole" });
    // Outside such a namespace an ordinary user may look, and is told what is missing for more.
    const plain = runBehind(prefix);
    const asUser = aptManager({ run: plain, transact: transactDirectly(plain), root, proxies: {} });
    expect(await asUser.inspect(agent)).toMatchObject({ packageVersion: "15.4.6-1" });
    expect(await faultOf(asUser.install(change("15.4.6-2"), []))).toMatchObject({ code: "not-permitted" });
  });
});
