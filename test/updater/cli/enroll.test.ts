import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeRoot, missingForRoots, program, versionsOfFile, type Ended, type Root } from "./given.ts";
import { missingForOtherUsers, readableCopy, type Copy } from "./readable-copy.ts";

const noSystemctl = spawnSync("systemctl", ["--version"]).error === undefined ? undefined : "systemctl not installed";
const missing = missingForRoots() ?? noSystemctl;
if (missing !== undefined) console.warn(`SKIPPED: the tests of enroll below a root of its own: ${missing}`);
const isRoot = process.getuid?.() === 0;

const timer = "svc-upgrade.timer";
const agentUid = 12_001;
const available = "an upgrade is available (15.4.5 -> 15.4.6)";

const versions = await versionsOfFile();

/** Another root with the updater's timer in it, and the agent or none. */
function image(installed?: string): Root {
  const root = makeRoot(installed);
  const units = join(root.path, "usr/lib/systemd/system");
  for (const folder of [units, join(root.path, "etc/systemd/system")]) mkdirSync(folder, { recursive: true });
  copyFileSync(join(import.meta.dirname, "../../../systemd", timer), join(units, timer));
  root.write("etc/passwd", `root:x:0:0::/:/bin/sh\nsvc:x:${agentUid}:${agentUid}::/:/bin/sh\n`);
  versions.serve({ version: "v15.4.6" });
  return root;
}

function enroll(root: Root, ...words: readonly string[]): Promise<Ended> {
  return program(["enroll", "--root", root.path, ...words]);
}

function enrollHere(root: Root, ...words: readonly string[]): Promise<Ended> {
  return enroll(root, "--endpoint", versions.url, ...words);
}

function unenroll(root: Root, ...words: readonly string[]): Promise<Ended> {
  return program(["unenroll", "--root", root.path, ...words]);
}

const lockFiles = /^var\/lib\/svc-upgrade(-decide|-decide\/lock|\/lock)$/;

/** Every path with what `stat` knows of it; the lock is taken by whoever looks closely. */
function listing({ path }: Root, times: "times" | "no times" = "times"): readonly string[] {
  const files = readdirSync(path, { recursive: true, encoding: "utf8" }).toSorted();
  return files
    .filter((file) => !lockFiles.test(file) && (times === "times" || file !== "var/lib/svc-upgrade"))
    .map((file) => {
      const stats = lstatSync(join(path, file), { bigint: true });
      const size = stats.isFile() ? stats.size : "-";
      const changed = times === "no times" || file === "var/lib/svc-upgrade" ? "" : ` ${stats.mtimeNs} ${stats.ctimeNs}`;
      return `${file} ${stats.mode.toString(8)} ${stats.uid}:${stats.gid} ${size}${changed}`;
    });
}

describe.skipIf(missing !== undefined)("enroll below another root", () => {
  test.runIf(isRoot)(
    "writes the settings, gives the schedule to the agent's user, enables the timer, and ends with a dry run",
    async () => {
      const root = image("15.4.5");
      const { status, stdout, stderr } = await enrollHere(root, "--channel", "stable/cloud", "--agent-user", "svc");
      const fragment = `${root.path}/etc/svc-upgrade/10-cluster.yaml`;
      expect([status, stdout.split("\n")]).toEqual([
        0,
        [
          `wrote ${fragment}: endpoint ${versions.url}, channel stable/cloud`,
          `made ${root.path}/etc/svc-upgrade.d/schedule, for svc to write`,
          `enabled ${timer}; it starts once systemd runs there`,
          available,
          "",
        ],
      ]);
      expect(stderr).toMatch(/^an upgrade is available [^\n]* channel=stable\/cloud why=schedule-empty\n$/);
      expect(root.read("etc/svc-upgrade/10-cluster.yaml")).toMatch(/^# Written by svc-upgrade enroll\./);
      expect(lstatSync(fragment).mode & 0o777).toBe(0o644);
      expect(lstatSync(`${root.path}/etc/svc-upgrade.d`).uid).toBe(agentUid);
      expect(lstatSync(`${root.path}/etc/svc-upgrade.d/schedule`)).toMatchObject({ uid: agentUid, size: 0 });
      expect(readlinkSync(`${root.path}/etc/systemd/system/timers.target.wants/${timer}`)).toContain(timer);
      expect(versions.asked.some((path) => path.includes("/channel/stable/cloud/version"))).toBe(true);
    },
  );

  test.runIf(isRoot)("changes nothing the second time, not even a time, and says so of each thing", async () => {
    const root = image("15.4.5");
    const words = ["--agent-user", String(agentUid), "--package", "nginx", "--unit", "nginx.service"];
    await enrollHere(root, ...words);
    const before = listing(root);
    const again = await enrollHere(root, ...words);
    expect(again.status).toBe(0);
    expect(again.stdout.split("\n").slice(0, 3)).toEqual([
      `already enrolled: ${root.path}/etc/svc-upgrade/10-cluster.yaml says endpoint ${versions.url}, package nginx, unit nginx.service`,
      `already enrolled: ${root.path}/etc/svc-upgrade.d/schedule belongs to svc`,
      `already enrolled: ${timer} is enabled`,
    ]);
    expect(listing(root)).toEqual(before);
  });

  test.runIf(isRoot)("replaces what it wrote itself, and the schedule stays with whom it was given to", async () => {
    const root = image("15.4.5");
    await enrollHere(root, "--channel", "15.4", "--agent-user", "svc");
    const replaced = await enroll(root, "--channel", "stable/cloud");
    expect([replaced.status, replaced.stdout.split("\n").slice(0, 2)]).toEqual([
      0,
      [
        `wrote ${root.path}/etc/svc-upgrade/10-cluster.yaml: endpoint ${versions.url}, channel stable/cloud (before: endpoint ${versions.url}, channel 15.4)`,
        `already enrolled: ${root.path}/etc/svc-upgrade.d/schedule belongs to svc`,
      ],
    ]);
    expect(replaced.stderr).toContain(`the endpoint is the one in ${root.path}/etc/svc-upgrade/10-cluster.yaml`);
    expect((await enroll(root, "--channel", "stable/cloud")).stdout).toContain("already enrolled: ");
  });

  test("answers in one JSON object, a fault of the dry run in it too", async () => {
    const root = image("15.4.5");
    const good = await enrollHere(root, "--json");
    expect(good.status).toBe(0);
    expect(JSON.parse(good.stdout)).toEqual({
      schema: 1,
      done: [
        { what: "fragment", change: "made", on: `${root.path}/etc/svc-upgrade/10-cluster.yaml`, told: expect.any(String) },
        { what: "schedule", change: "made", on: `${root.path}/etc/svc-upgrade.d/schedule`, told: expect.any(String) },
        { what: "timer", change: "enabled", on: timer, told: expect.any(String) },
      ],
      answer: expect.objectContaining({ schema: 1, installed: "15.4.5", served: "15.4.6", available: true }),
    });
    root.write("etc/svc-upgrade/20-local.yaml", "manager: zypper\n");
    const bad = await enrollHere(root, "--json");
    expect(bad.status).toBe(78);
    expect(JSON.parse(bad.stdout)).toMatchObject({
      done: [{ change: "none" }, { change: "none" }, { change: "none" }],
      answer: { schema: 1, fault: { code: "host-unsupported" } },
    });
    const left = await unenroll(root, "--json");
    expect(JSON.parse(left.stdout)).toMatchObject({
      schema: 1,
      done: [
        { what: "timer", change: "disabled" },
        { what: "fragment", change: "removed" },
        { what: "schedule", change: "removed" },
      ],
    });
  });

  test("says what to type where the agent is not installed", async () => {
    const root = image();
    const { status, stdout } = await enrollHere(root);
    const hint = `svc-upgrade run --root ${root.path} --now --install`;
    expect([status, stdout.split("\n").at(-2)]).toEqual([0, `svc-ent is not installed yet; to install it: ${hint}`]);
    expect(JSON.parse((await enrollHere(root, "--json")).stdout)).toEqual({ schema: 1, done: expect.any(Array), hint });
  });

  test("takes the endpoint from the agent's own configuration, and says so", async () => {
    const root = image("15.4.5");
    root.write("etc/svc.yaml", "svc:\n  proxy_server: proxy.test:443\n");
    const { status, stderr } = await enroll(root);
    // Nobody answers there; what was asked shows that it was taken.
    expect(status).toBe(75);
    expect(stderr).toContain(`the endpoint is the one in ${root.path}/etc/svc.yaml endpoint=https://proxy.test`);
    expect(stderr).toContain("; nothing was changed");
  });

  test("asks for what was typed, and says which file of a later name wins", async () => {
    const root = image("15.4.5");
    root.write("etc/svc-upgrade/05-early.yaml", "channel: early\n");
    root.write("etc/svc-upgrade/20-late.yaml", "channel: late\n");
    const { status, stderr } = await enrollHere(root, "--channel", "typed");
    expect(status).toBe(0);
    const late = `${root.path}/etc/svc-upgrade/20-late.yaml`;
    expect(stderr).toContain(
      `${late} has a later name than ${root.path}/etc/svc-upgrade/10-cluster.yaml, so its channel wins channel=late`,
    );
    expect(stderr).not.toContain("05-early");
    const channels = versions.asked.filter((path) => path.endsWith("/version")).map((path) => path.split("/").at(-2));
    expect(channels.slice(-2)).toEqual(["typed", "late"]);
  });

  test("goes by no setting of the shell, and says so", async () => {
    const root = image("15.4.5");
    const env = { SVC_UPGRADE_CHANNEL: "of-the-shell" };
    const { stdout, stderr } = await program(["enroll", "--json", "--root", root.path, "--endpoint", versions.url], { env });
    expect(JSON.parse(stdout)).toMatchObject({ answer: { channel: "default" } });
    expect(stderr).toContain("do not count here ignored=SVC_UPGRADE_CHANNEL");
  });

  type Refusal = {
    readonly title: string;
    readonly make?: (root: Root) => void;
    readonly words?: readonly string[];
    readonly status: number;
    readonly says: readonly string[];
  };
  const refusals: readonly Refusal[] = [
    {
      title: "a page instead of a version",
      make: () => versions.serve({ version: "<html>log in</html>" }),
      status: 65,
      says: ["a web page of 19 bytes", "; nothing was changed", "fault=answer-invalid"],
    },
    { title: "nobody at the endpoint", words: ["--endpoint", "http://127.0.0.1:9"], status: 75, says: ["; nothing was changed"] },
    {
      title: "wrong arguments, all told at once",
      words: ["--endpoint", "proxy.test", "--channel", "a b", "--package", "-x"],
      status: 78,
      says: ["--endpoint: ", "--channel: ", "--package: "],
    },
    {
      title: "a package without its unit",
      words: ["--package", "nginx"],
      status: 78,
      says: ["--unit: nothing (allowed: the service that runs nginx, for example nginx.service)"],
    },
    {
      title: "a fragment of somebody else's",
      make: (root) => root.write("etc/svc-upgrade/10-cluster.yaml", `endpoint: ${versions.url}\n`),
      status: 74,
      says: ["10-cluster.yaml is not overwritten: enroll did not write it", "20-local.yaml"],
    },
    {
      title: "a settings directory that others may write to",
      make: (root) => {
        mkdirSync(join(root.path, "etc/svc-upgrade"));
        chmodSync(join(root.path, "etc/svc-upgrade"), 0o777);
      },
      status: 78,
      says: ["others can write to it (mode 777)", "fault=settings-untrusted"],
    },
    {
      title: "a masked timer",
      make: (root) => symlinkSync("/dev/null", join(root.path, "etc/systemd/system", timer)),
      status: 78,
      says: [`${timer} is masked`, `systemctl unmask ${timer}`],
    },
    {
      title: "a record that cannot be read",
      make: (root) => root.write("var/lib/svc-upgrade/enrolment.json", "{"),
      status: 74,
      says: ["which says what enroll did here, cannot be used: it is not JSON"],
    },
    {
      title: "a timer that cannot be enabled",
      make: (root) => {
        rmSync(join(root.path, "etc/systemd/system"), { recursive: true });
        root.write("etc/systemd/system", "");
      },
      status: 71,
      says: [`systemctl enable ${timer} failed`, "; what was done before was taken back"],
    },
  ];

  test.each(refusals)("with $title changes nothing, and says why", async ({ make, words = [], status, says }) => {
    const root = image("15.4.5");
    make?.(root);
    const before = listing(root, "no times");
    const refused = await enrollHere(root, ...words);
    expect([refused.status, refused.stdout]).toEqual([status, ""]);
    for (const said of says) expect(refused.stderr).toContain(said);
    expect(listing(root, "no times")).toEqual(before);
  });

  test("without any endpoint is a usage fault with the line to type", async () => {
    const { status, stdout, stderr } = await enroll(image("15.4.5"), "--json");
    expect(status).toBe(64);
    expect(JSON.parse(stdout)).toMatchObject({ fault: { code: "usage", hint: expect.stringContaining("--endpoint https://") } });
    expect(stderr).toContain("no endpoint is given");
  });

  test("leaves a root without the updater to the package that enables its timer", async () => {
    const root = image("15.4.5");
    rmSync(join(root.path, "usr/lib/systemd/system", timer));
    const { status, stdout } = await enrollHere(root);
    expect([status, stdout]).toEqual([0, expect.stringContaining("installing svc-ent-updater enables it")]);
    expect((await unenroll(root)).stdout).toContain(`${timer} was not enabled`);
  });

  test("never overwrites what somebody edited since, and unenroll leaves and names it", async () => {
    const root = image("15.4.5");
    await enrollHere(root);
    const edited = `${root.read("etc/svc-upgrade/10-cluster.yaml")}unscheduled: wait\n`;
    root.write("etc/svc-upgrade/10-cluster.yaml", edited);
    const refused = await enrollHere(root, "--channel", "other");
    expect([refused.status, refused.stderr]).toEqual([74, expect.stringContaining("it was edited since enroll wrote it")]);
    const left = await unenroll(root);
    expect([left.status, left.stdout]).toEqual([
      0,
      expect.stringContaining("10-cluster.yaml: it was edited since enroll wrote it"),
    ]);
    expect(root.read("etc/svc-upgrade/10-cluster.yaml")).toBe(edited);
  });

  test("goes on where an earlier one was killed while it replaced the settings", async () => {
    const root = image("15.4.5");
    await enrollHere(root, "--channel", "one");
    const one = root.read("etc/svc-upgrade/10-cluster.yaml");
    await enrollHere(root, "--channel", "two");
    const record = JSON.parse(root.read("var/lib/svc-upgrade/enrolment.json")) as { readonly written: readonly string[] };
    root.write("var/lib/svc-upgrade/enrolment.json", JSON.stringify({ ...record, written: [one, ...record.written] }));
    root.write("etc/svc-upgrade/10-cluster.yaml", one);
    expect((await enrollHere(root, "--channel", "two")).status).toBe(0);
    expect(root.read("etc/svc-upgrade/10-cluster.yaml")).toContain('channel: "two"');
    expect(JSON.parse(root.read("var/lib/svc-upgrade/enrolment.json"))).toEqual(record);
  });
});

describe.skipIf(missing !== undefined)("unenroll below another root", () => {
  test.runIf(isRoot)("leaves everything as enroll found it", async () => {
    const root = image("15.4.5");
    const before = listing(root, "no times");
    await enrollHere(root, "--agent-user", "svc", "--channel", "one");
    await enrollHere(root, "--agent-user", "root", "--channel", "two");
    expect(listing(root, "no times")).not.toEqual(before);
    const { status, stdout } = await unenroll(root);
    expect([status, stdout.split("\n")]).toEqual([
      0,
      [
        `disabled ${timer}`,
        `removed ${root.path}/etc/svc-upgrade/10-cluster.yaml`,
        `removed ${root.path}/etc/svc-upgrade.d`,
        `kept ${root.path}/var/lib/svc-upgrade-decide: what the passes did here stays on record until the package is purged`,
        "",
      ],
    ]);
    expect(listing(root, "no times")).toEqual(before);
  });

  test("without an enrolment changes nothing and says so", async () => {
    const root = image("15.4.5");
    const before = listing(root);
    const { status, stdout } = await unenroll(root);
    expect([status, stdout]).toEqual([0, "this host is not enrolled: there is nothing to take back\n"]);
    expect(JSON.parse((await unenroll(root, "--json")).stdout)).toEqual({ schema: 1, done: [] });
    expect(listing(root)).toEqual(before);
  });

  test("takes back what is still there, and keeps what the agent wrote", async () => {
    const root = image("15.4.5");
    await enrollHere(root);
    rmSync(join(root.path, "etc/svc-upgrade/10-cluster.yaml"));
    root.write("etc/svc-upgrade.d/schedule", "nop\n");
    const left = await unenroll(root);
    expect([left.status, left.stdout]).toEqual([0, expect.stringContaining("10-cluster.yaml was gone already")]);
    expect(root.read("etc/svc-upgrade.d/schedule")).toBe("nop\n");
  });
});

const missingOthers = missing ?? missingForOtherUsers();
if (missingOthers !== undefined) console.warn(`SKIPPED: the tests of enroll as another user: ${missingOthers}`);

describe.skipIf(missingOthers !== undefined)("an ordinary user", () => {
  let copy: Copy;
  beforeAll(() => {
    copy = readableCopy();
  });
  afterAll(() => copy.remove());

  function asNobody(...words: readonly string[]): Promise<Ended> {
    return program(words, { behind: copy.asNobody, runs: [copy.node, join(copy.folder, "src/svc-upgrade.ts")] });
  }

  function nobodysImage(): Root {
    const root = image("15.4.5");
    chmodSync(dirname(root.path), 0o755);
    spawnSync("chown", ["-R", "65534:65534", root.path]);
    return root;
  }

  test("may enroll neither this machine nor a root of somebody else's", async () => {
    const root = image("15.4.5");
    for (const folder of [root.path, dirname(root.path)]) chmodSync(folder, 0o755);
    const before = listing(root);
    for (const [words, said] of [
      [[], "sudo svc-upgrade enroll"],
      [["--root", root.path], `${root.path} belongs to another user`],
    ] as const) {
      const { status, stdout, stderr } = await asNobody("enroll", "--endpoint", versions.url, ...words);
      expect([status, stdout, stderr]).toEqual([77, "", expect.stringContaining(said)]);
    }
    expect(listing(root)).toEqual(before);
  });

  test("enrolls a root of its own, in which what would be root's is its own", async () => {
    const root = nobodysImage();
    const own = ["--endpoint", versions.url, "--root", root.path];
    const enrolled = await asNobody("enroll", ...own);
    expect([enrolled.status, enrolled.stdout]).toEqual([0, expect.stringContaining("for root to write")]);
    const before = listing(root, "no times");
    const given = await asNobody("enroll", ...own, "--agent-user", "svc");
    expect([given.status, given.stderr]).toEqual([77, expect.stringContaining("; what was done before was taken back")]);
    expect(listing(root, "no times")).toEqual(before);
  });

  test("is told what was taken back so far when that breaks off, and can go on from there", async () => {
    const root = nobodysImage();
    await asNobody("enroll", "--endpoint", versions.url, "--root", root.path);
    chmodSync(join(root.path, "etc/svc-upgrade"), 0o555);
    const broken = await asNobody("unenroll", "--root", root.path);
    expect([broken.status, broken.stdout]).toEqual([77, ""]);
    expect(broken.stderr).toContain(
      `; so far: disabled ${timer}; run it as root; then again: \`svc-upgrade unenroll --root ${root.path}\``,
    );
    chmodSync(join(root.path, "etc/svc-upgrade"), 0o755);
    const ended = await asNobody("unenroll", "--root", root.path);
    expect([ended.status, ended.stdout]).toEqual([0, expect.stringContaining(`${timer} was not enabled\nremoved `)]);
    expect((await asNobody("unenroll", "--root", root.path)).stdout).toContain("not enrolled");
  });
});
