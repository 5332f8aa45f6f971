import { execFileSync, spawn } from "node:child_process";
import { appendFile, chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aptManager } from "../../../../src/updater/package/apt/apt-manager.ts";
import { transactDirectly } from "../../../../src/updater/package/call/transact-directly.ts";
import { agent, change, faultOf } from "./given.ts";
import { aptHost, environment, writeStatus, type Host } from "./on-host.ts";
import { runBehind } from "../run.ts";
import { asRoot, fileName, makeScratch, missingTools, type Built, type Scratch } from "../scratch.ts";

const missing = missingTools();
if (missing !== undefined) console.warn(`SKIPPED: the tests with the real apt and dpkg: ${missing}`);

const stock: readonly Built[] = [
  { name: "svc-ent", version: "15.4.5" },
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

let scratch: Scratch;
let repository: string;

/** A root of its own, with the stock offered, the lists fetched, and these packages installed. */
async function host(installed: readonly string[], sources: Readonly<Record<string, string>> = {}): Promise<Host> {
  const made = await aptHost(scratch, { "ours.list": `deb [trusted=yes] file:${repository} ./\n`, ...sources });
  await made.apt.refresh(agent);
  if (installed.length > 0) made.command("apt-get", "-qq", "-y", "install", ...installed);
  return made;
}

/** An apt-get that holds the lists lock for as long as its server keeps silent. */
async function hangingRefresh(root: string): Promise<{ readonly pid: number; readonly end: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const source = join(root, "hanging.list");
  await writeFile(source, `deb [trusted=yes] http://127.0.0.1:${(server.address() as AddressInfo).port} ./\n`);
  const [program, ...rest] = [...asRoot, "apt-get", "-qq", "-o", `Dir::Etc::sourcelist=${source}`, "update"];
  const asked = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const child = spawn(program, rest, { env: environment(root), stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const socket = await asked;
  return {
    pid: child.pid ?? 0,
    end: async () => {
      child.kill();
      socket.destroy();
      server.close();
      await ended;
    },
  };
}

/** How to be nobody in particular, with the root handed over to it. */
async function ordinaryUser(root: string): Promise<readonly string[]> {
  if (process.getuid?.() !== 0) return [];
  await chmod(scratch.directory, 0o755);
  execFileSync("chown", ["-R", "65534:65534", root]);
  return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
}

describe.skipIf(missing !== undefined)("apt, for real, below a root of its own", () => {
  beforeAll(async () => {
    scratch = await makeScratch();
    repository = await scratch.repository("stock", stock);
  });
  afterAll(() => scratch.remove());

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

  test.each(["5:15.4.5-1", "15.4.7~rc.1-1", "15.4.6-2"])("installs %s as it is written", async (version) => {
    const { apt } = await host(["svc-ent=15.4.5"]);
    await apt.simulate(change(version));
    await apt.install(change(version));
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: version, condition: "whole" });
  });

  test("installs where nothing was installed", async () => {
    const { apt } = await host([]);
    await apt.simulate(change("15.4.6-1"));
    await apt.install(change("15.4.6-1"));
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.6-1" });
  });

  test("offers the higher version first, and never what is merely installed", async () => {
    const { apt } = await host(["svc-ent=15.4.5"]);
    const higherFirst = stock.flatMap(({ name, version }) => (name === agent ? [version] : []));
    const offers = await apt.offers(agent);
    expect(offers[0]).toBe("5:15.4.5-1");
    expect([...offers].sort()).toEqual([...higherFirst].sort());
    const { apt: alone, root } = await host(["svc-ent=15.4.5"]);
    const empty = await scratch.repository("empty", [{ name: "other", version: "1" }]);
    await writeFile(join(root, "etc/apt/sources.list.d/ours.list"), `deb [trusted=yes] file:${empty} ./\n`);
    expect(await alone.offers(agent)).toEqual([]);
  });

  test("follows an admin's pins: the preferred first, the forbidden not at all", async () => {
    const { apt, root } = await host([]);
    const pins =
      "Package: svc-ent\nPin: version 15.4.6-1\nPin-Priority: 990\n\nPackage: svc-ent\nPin: version 16.*\nPin-Priority: -1\n";
    await writeFile(join(root, "etc/apt/preferences.d/pins"), pins);
    const offers = await apt.offers(agent);
    expect(offers[0]).toBe("15.4.6-1");
    expect(offers.filter((version) => version.startsWith("16."))).toEqual([]);
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
    const states = [
      "ok unpacked",
      "ok half-configured",
      "ok half-installed",
      "ok triggers-awaited",
      "ok triggers-pending",
      "reinstreq installed",
      "reinstreq half-installed",
      "reinstreq unpacked",
      "reinstreq half-configured",
    ];
    test.each(states)("where dpkg calls it %s", async (state) => {
      const { apt, root, command } = await host(["svc-ent=15.4.5"]);
      const file = join(root, "usr/share/svc-ent/version");
      await writeStatus(root, `install ${state}`);
      await writeFile(file, "damaged\n");
      await apt.simulate(change("15.4.5", { direction: "same" }));
      await apt.install(change("15.4.5", { direction: "same" }));
      expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "whole" });
      expect(command("dpkg", `--admindir=${root}/var/lib/dpkg`, "--audit")).toBe("");
      expect(await readFile(file, "utf8")).toBe("15.4.5\n");
    });

    test("where dpkg was killed with its last words not yet in its database, which apt does not know of", async () => {
      const { apt, root } = await host(["svc-ent=15.4.6-1"]);
      const database = join(root, "var/lib/dpkg");
      const before = await readFile(join(database, "status"), "utf8");
      const paragraph = before.split("\n\n").find((one) => one.startsWith("Package: svc-ent\n")) ?? "";
      const unpacked = paragraph
        .replace(/^Status: .*$/m, "Status: install ok half-configured\nConfig-Version: 15.4.6-1")
        .replace(/^Version: .*$/m, "Version: 15.4.5");
      await mkdir(join(database, "updates"), { recursive: true });
      await writeFile(join(database, "updates/0000"), `${unpacked}\n`);
      expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "half-way" });
      await apt.installFile(change("15.4.5", { direction: "same" }), join(repository, "svc-ent_15.4.5_all.deb"));
      expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "whole" });
    });

    test.each(["ok unpacked", "ok half-configured"])("and its hold, where dpkg calls it %s", async (state) => {
      const { apt, root, command } = await host(["svc-ent=15.4.5"]);
      command("apt-mark", "hold", "svc-ent");
      await writeStatus(root, `hold ${state}`);
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

  test("says that a version is not offered", async () => {
    const { apt } = await host(["svc-ent=15.4.5"]);
    expect(await faultOf(apt.simulate(change("1.2.3")))).toMatchObject({ code: "not-offered" });
    expect(await faultOf(apt.install(change("1.2.3")))).toMatchObject({ code: "not-offered" });
  });

  test("respects a hold, and puts a lifted one back", async () => {
    const { apt, command } = await host(["svc-ent=15.4.5"]);
    command("apt-mark", "hold", "svc-ent");
    expect(await apt.inspect(agent)).toMatchObject({ isHeld: true, condition: "whole" });
    expect(await faultOf(apt.install(change("15.4.6-1")))).toMatchObject({ code: "plan-refused" });
    await apt.install(change("15.4.6-1", { hold: "lifted" }));
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.6-1", isHeld: true });
  });

  test("puts a lifted hold back after a failure too", async () => {
    const { apt, command } = await host(["svc-ent=15.4.5"]);
    command("apt-mark", "hold", "svc-ent");
    expect(await faultOf(apt.install(change("17.0.0", { hold: "lifted" })))).toMatchObject({ code: "install-failed" });
    expect(await apt.inspect(agent)).toMatchObject({ isHeld: true, condition: "half-way" });
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

  test("a failing package script is a failed installation that says so, and runs nowhere but below the root", async () => {
    const { apt } = await host(["svc-ent=15.4.5"]);
    const fault = await faultOf(apt.install(change("17.0.0")));
    expect(fault).toMatchObject({ code: "install-failed" });
    // There is no shell below this root; the machine's must not be taken instead.
    expect(fault.message).toContain("post-installation script subprocess returned error exit status 2");
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "17.0.0", condition: "half-way" });
    await apt.simulate(change("15.4.6-1", { direction: "down" }));
    await apt.install(change("15.4.6-1", { direction: "down" }));
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.6-1", condition: "whole" });
  });

  test("refuses a package that was altered after it was listed", async () => {
    const one: Built = { name: "svc-ent", version: "15.4.8" };
    const altered = await scratch.repository("altered", [one]);
    const { apt } = await host(["svc-ent=15.4.5"], { "altered.list": `deb [trusted=yes] file:${altered} ./\n` });
    await apt.refresh(agent);
    await appendFile(join(altered, fileName(one)), "more");
    const fault = await faultOf(apt.install(change("15.4.8")));
    expect(fault).toMatchObject({ code: "download-failed" });
    expect(fault.message).toContain("Hash Sum mismatch");
    expect(await apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "whole" });
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

  test("reads the newer form of source files too", async () => {
    const modern = await scratch.repository("modern", [{ name: "svc-ent", version: "15.4.5" }]);
    const text = `Types: deb\nURIs: file:${modern}\nSuites: ./\nTrusted: yes\n`;
    const { apt } = await host([], { "ours.list": "", "modern.sources": text });
    await scratch.repository("modern", [{ name: "svc-ent", version: "15.4.6" }]);
    await apt.refresh(agent);
    expect(await apt.offers(agent)).toEqual(["15.4.6"]);
  });

  test("says which list could not be refreshed when it is the one that offers the package", async () => {
    const spoilt = await scratch.repository("spoilt", [{ name: "svc-ent", version: "15.4.5" }]);
    const { apt } = await host([], { "ours.list": `deb [trusted=yes] file:${spoilt} ./\n` });
    await writeFile(join(spoilt, "Release"), "nothing that apt could read\n");
    const fault = await faultOf(apt.refresh(agent));
    expect(fault).toMatchObject({ code: "refresh-failed" });
    expect(fault.message).toContain("ours.list");
  });

  test("says that nobody offers the package when the only source is dead from the start", async () => {
    const fault = await faultOf(host([], { "ours.list": "deb [trusted=yes] http://127.0.0.1:9/dead ./\n" }));
    expect(fault).toMatchObject({ code: "refresh-failed" });
    expect(fault.message).toContain("127.0.0.1");
  });

  test("asks for `dpkg --configure -a` when the database was left half-way", async () => {
    const { apt, root } = await host(["svc-ent=15.4.5"]);
    await writeFile(join(root, "var/lib/dpkg/updates/0001"), "");
    expect(await faultOf(apt.install(change("15.4.6-1")))).toMatchObject({
      code: "database-broken",
      hint: expect.stringContaining("dpkg --configure -a") as string,
    });
  });

  test("says that the database cannot be read", async () => {
    const { apt, root } = await host(["svc-ent=15.4.5"]);
    await writeFile(join(root, "var/lib/dpkg/status"), "this is no database\n");
    expect(await faultOf(apt.inspect(agent))).toMatchObject({ code: "database-broken" });
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

  test("names the process that holds the lock", async () => {
    const { apt, root } = await host(["svc-ent=15.4.5"]);
    const holder = await hangingRefresh(root);
    try {
      const fault = await faultOf(apt.refresh(agent));
      expect(fault).toMatchObject({ code: "manager-busy" });
      expect(fault.message).toContain(`It is held by process ${holder.pid} (apt-get)`);
    } finally {
      await holder.end();
    }
  });
});
