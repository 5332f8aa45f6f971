import { chmodSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { instant, makeRoot, missingForRoots, program, versionServer, type Ended, type Root, type Versions } from "./given.ts";
import { missingForOtherUsers, readableCopy, type Copy } from "./readable-copy.ts";

const missing = missingForRoots() ?? missingForOtherUsers();
if (missing !== undefined) console.warn(`SKIPPED: the tests as another user: ${missing}`);

describe.skipIf(missing !== undefined)("an ordinary user", () => {
  let copy: Copy;
  let versions: Versions;
  beforeAll(async () => {
    copy = readableCopy();
    versions = await versionServer();
    versions.serve({ version: "v15.4.6" });
  });
  afterAll(async () => {
    copy.remove();
    await versions.close();
  });

  function asNobody(args: readonly string[]): Promise<Ended> {
    return program(args, { behind: copy.asNobody, runs: [copy.node, join(copy.folder, "src/svc-upgrade.ts")] });
  }

  function foreignRoot(): Root {
    const root = makeRoot("15.4.5");
    for (const folder of [root.path, dirname(root.path)]) chmodSync(folder, 0o755);
    return root;
  }

  test("is told that a pass needs root", async () => {
    const { status, stdout, stderr } = await asNobody(["run"]);
    expect([status, stdout]).toEqual([77, ""]);
    expect(stderr).toContain("sudo svc-upgrade run");
  });

  test.each(["hold", "pin 15.4.6"])("is told that %s needs root", async (command) => {
    const { status, stdout, stderr } = await asNobody(command.split(" "));
    expect([status, stdout]).toEqual([77, ""]);
    expect(stderr).toContain(`sudo svc-upgrade ${command}`);
  });

  test("sees the windows of a schedule that all may read, and is told of one that only root may", async () => {
    const root = foreignRoot();
    const { start } = root.schedule("closed");
    const open = await asNobody(["schedule", "--json", "--root", root.path]);
    expect([open.status, JSON.parse(open.stdout)]).toMatchObject([0, { state: "closed", until: instant(start) }]);
    chmodSync(join(root.path, "etc/svc-upgrade.d/schedule"), 0o600);
    const { status, stdout, stderr } = await asNobody(["schedule", "--root", root.path]);
    expect([status, stdout]).toEqual([77, ""]);
    expect(stderr).toContain(`${root.path}/etc/svc-upgrade.d/schedule may not be read by this user`);
    expect(stderr).toContain("sudo svc-upgrade schedule");
  });

  test("gets its answer where what it cannot read is not needed, and hears of what was left out", async () => {
    const root = foreignRoot();
    root.write("etc/svc.yaml", "svc:\n  proxy_server: proxy.example.com:443\n", 0o600);
    root.write("etc/default/svc", "HTTP_PROXY=http://user:secret@proxy.test:3128\n", 0o600);
    root.write("var/lib/svc-upgrade-decide/state.json", "{}", 0o600);
    const { status, stdout, stderr } = await asNobody(["dry-run", "--endpoint", versions.url, "--root", root.path]);
    expect([status, stdout]).toEqual([0, "an upgrade is available (15.4.5 -> 15.4.6)\n"]);
    expect(stderr).toContain(`proxies may be set in a file that this user may not read path=${root.path}/etc/default/svc`);
    expect(stderr).toContain("the state of earlier passes may not be read by this user");
  });

  test("cannot run a pass below a root of somebody else's, and leaves nothing there", async () => {
    const root = foreignRoot();
    const { status, stdout, stderr } = await asNobody(["run", "--endpoint", versions.url, "--root", root.path]);
    expect([status, stdout]).toEqual([77, ""]);
    expect(stderr).toContain("fault=not-permitted");
    expect(existsSync(`${root.path}/var/lib/svc-upgrade`)).toBe(false);
  });
});
