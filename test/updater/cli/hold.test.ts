import { existsSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { instant, makeRoot, program, type Ended, type Root } from "./given.ts";

const fragment = "etc/svc-upgrade/90-hold.yaml";
const comment = "# Written by svc-upgrade hold; svc-upgrade unhold takes it away.\n";

function call(root: Root, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return program([...args, "--root", root.path], { env });
}

/** The hold that `config` shows, and where it comes from. */
async function heldIn(root: Root): Promise<{ readonly value: unknown; readonly origin: string } | undefined> {
  const { stdout } = await call(root, ["config", "--json"]);
  const { settings } = JSON.parse(stdout) as { settings: readonly { key: string; value: unknown; origin: string }[] };
  const row = settings.find(({ key }) => key === "hold");
  return row === undefined ? undefined : { value: row.value, origin: row.origin };
}

describe("svc-upgrade hold", () => {
  test("holds until a time by the clocks of this host, for a reason, and says how to end it", async () => {
    const root = makeRoot();
    const args = ["hold", "--until", "2098-12-24 08:00", "--reason", "year-end freeze"];
    const { status, stdout, stderr } = await call(root, args, { TZ: "Europe/Berlin" });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(
      `upgrades are on hold until Wed 2098-12-24 08:00 GMT+1 (2098-12-24T07:00:00Z):
year-end freeze
to end it: svc-upgrade unhold --root ${root.path}
`,
    );
    expect(root.read(fragment)).toBe(`${comment}hold:\n  until: "2098-12-24T07:00:00Z"\n  reason: "year-end freeze"\n`);
    expect(statSync(`${root.path}/${fragment}`).mode & 0o7777).toBe(0o644);
    expect(await heldIn(root)).toEqual({
      value: { until: "2098-12-24T07:00:00Z", reason: "year-end freeze" },
      origin: `${root.path}/${fragment}`,
    });
  });

  test("holds without an end and without a reason, in a folder that it makes for all to read", async () => {
    const root = makeRoot();
    const { status, stdout } = await program(["hold", "--root", root.path], {
      behind: ["sh", "-c", 'umask 077; exec "$@"', "sh"],
    });
    expect(status).toBe(0);
    expect(stdout).toBe(`upgrades are on hold\nto end it: svc-upgrade unhold --root ${root.path}\n`);
    expect(root.read(fragment)).toBe(`${comment}hold: {}\n`);
    expect(statSync(`${root.path}/etc/svc-upgrade`).mode & 0o7777).toBe(0o755);
    expect(statSync(`${root.path}/${fragment}`).mode & 0o7777).toBe(0o644);
  });

  test("says that a longer hold of an earlier file does not count beside it", async () => {
    const root = makeRoot();
    root.write("etc/svc-upgrade/20-freeze.yaml", "hold: {until: 2098-12-24}\n");
    const { status, stderr } = await call(root, ["hold", "2h"]);
    const unhold = `svc-upgrade unhold --root ${root.path}`;
    expect([status, stderr]).toEqual([
      0,
      `the hold in ${root.path}/etc/svc-upgrade/20-freeze.yaml does not count until \`${unhold}\`, even after this one has ended\n`,
    ]);
    // Taking its own place is what people mean by a second one.
    expect((await call(root, ["hold", "3h"])).stderr).toBe("");
  });

  test("takes the place of the hold before, and answers in JSON", async () => {
    const root = makeRoot();
    await call(root, ["hold", "--until", "2098-12-24", "--reason", "first"]);
    const soon = await call(root, ["hold", "--until", "@4070000000", "--json"]);
    expect(JSON.parse(soon.stdout)).toEqual({ schema: 1, hold: { until: instant(4_070_000_000) } });
    expect((await heldIn(root))?.value).toEqual({ until: instant(4_070_000_000) });
    const { stdout } = await call(root, ["hold", "--reason", 'it\'s: "a" # trap', "--json"]);
    expect(JSON.parse(stdout)).toEqual({ schema: 1, hold: { reason: 'it\'s: "a" # trap' } });
    expect((await heldIn(root))?.value).toEqual({ reason: 'it\'s: "a" # trap' });
  });

  test("takes the time without a flag and without quotes, and says what it means by the clocks of this host", async () => {
    const root = makeRoot();
    const berlin = { TZ: "Europe/Berlin" };
    const friday = await call(root, ["hold", "friday"], berlin);
    expect(friday.stdout).toMatch(
      /^upgrades are on hold until Fri \d{4}-\d\d-\d\d 00:00 GMT\+[12] \(\d{4}-\d\d-\d\dT2[23]:00:00Z\)\n/,
    );
    const monday = await call(root, ["hold", "monday", "08:00", "--reason", "freeze"], berlin);
    expect(monday.stdout).toMatch(/^upgrades are on hold until Mon \d{4}-\d\d-\d\d 08:00 GMT\+[12] /);
    const [argument, flag] = [
      await call(root, ["hold", "2099-01-01", "01:00", "--json"]),
      await call(root, ["hold", "--until", "2099-01-01 01:00", "--json"]),
    ];
    expect(JSON.parse(argument.stdout)).toEqual(JSON.parse(flag.stdout));
  });

  test("refuses two times", async () => {
    const { status, stderr } = await call(makeRoot(), ["hold", "2d", "--until", "friday"]);
    expect(status).toBe(64);
    expect(stderr).toContain('the hold cannot end at two times: "2d" and --until "friday"; give one of them');
  });

  test.each([
    ["a time that is past", "--until", "2020-01-01", '"2020-01-01" means 2020-01-01T00:00:00Z, and it is 2'],
    ["a reason of two lines", "--reason", "two\nlines", '--reason cannot be "two lines"'],
    ["a reason without end", "--reason", "x".repeat(4096), '--reason cannot be "xxx'],
  ])("refuses %s and writes nothing", async (_title, flag, value, message) => {
    const root = makeRoot();
    const { status, stdout, stderr } = await call(root, ["hold", flag, value]);
    expect([status, stdout]).toEqual([64, ""]);
    expect(stderr).toContain(message);
    expect(existsSync(`${root.path}/etc/svc-upgrade`)).toBe(false);
  });

  test("changes nothing where a fragment is no YAML", async () => {
    const root = makeRoot();
    root.write("etc/svc-upgrade/10-site.yaml", "channel: [\n");
    const { status, stdout, stderr } = await call(root, ["hold"]);
    expect([status, stdout]).toEqual([78, ""]);
    expect(stderr).toContain("10-site.yaml: line ");
    expect(existsSync(`${root.path}/${fragment}`)).toBe(false);
  });

  test("changes nothing where a later fragment would win, and names it", async () => {
    const root = makeRoot();
    await call(root, ["hold", "--reason", "before"]);
    const before = root.read(fragment);
    root.write("etc/svc-upgrade/95-site.yaml", "hold: {until: 2020-01-01}\n");
    const { status, stdout, stderr } = await call(root, ["hold", "--until", "2h"]);
    expect([status, stdout]).toEqual([78, ""]);
    expect(stderr).toContain(
      `${root.path}/etc/svc-upgrade/95-site.yaml sets hold as well and wins over ${root.path}/${fragment}`,
    );
    expect(stderr).toContain("nothing was changed");
    expect(root.read(fragment)).toBe(before);
    root.write("etc/svc-upgrade/95-site.yaml", "channel: stable\n");
    root.write("etc/svc-upgrade/50-site.yaml", "hold: {until: 2020-01-01}\n");
    expect((await call(root, ["hold", "--until", "2h"])).status).toBe(0);
  });
});

describe("svc-upgrade unhold", () => {
  test("takes the hold away, once", async () => {
    const root = makeRoot();
    await call(root, ["hold"]);
    const { status, stdout, stderr } = await call(root, ["unhold"]);
    expect([status, stdout, stderr]).toEqual([0, "upgrades are not on hold any more; the next pass decides again\n", ""]);
    expect(existsSync(`${root.path}/${fragment}`)).toBe(false);
    const again = await call(root, ["unhold"]);
    expect([again.status, again.stdout]).toEqual([0, "upgrades were not on hold\n"]);
  });

  test("answers in JSON", async () => {
    const root = makeRoot();
    await call(root, ["hold"]);
    expect(JSON.parse((await call(root, ["unhold", "--json"])).stdout)).toEqual({ schema: 1, ended: true });
    expect(JSON.parse((await call(root, ["unhold", "--json"])).stdout)).toEqual({ schema: 1, ended: false });
  });

  test("names another file that still holds, and leaves it to its author", async () => {
    const root = makeRoot();
    await call(root, ["hold"]);
    root.write("etc/svc-upgrade/50-site.yaml", "hold: {reason: audit}\n");
    const { status, stdout, stderr } = await call(root, ["unhold"]);
    expect([status, stdout]).toEqual([78, ""]);
    expect(stderr).toContain(`the hold that svc-upgrade hold had written is taken away path=${root.path}/${fragment}`);
    expect(stderr).toContain(`upgrades are still on hold: ${root.path}/etc/svc-upgrade/50-site.yaml says so`);
    expect(existsSync(`${root.path}/${fragment}`)).toBe(false);
    expect(root.read("etc/svc-upgrade/50-site.yaml")).toBe("hold: {reason: audit}\n");
    const again = await call(root, ["unhold"]);
    expect([again.status, again.stderr.split("\n").length]).toEqual([78, 2]);
    root.write("etc/svc-upgrade/50-site.yaml", "hold: {until: 2020-01-01}\n");
    expect((await call(root, ["unhold"])).status).toBe(0);
  });

  test("takes the hold away also where the settings are wrong, and says both", async () => {
    const root = makeRoot();
    root.write(fragment, "hold: {until: someday}\n");
    expect((await call(root, ["hold"])).status).toBe(78);
    root.write("etc/svc-upgrade/50-site.yaml", "major: some\n");
    const { status, stderr } = await call(root, ["unhold"]);
    expect(status).toBe(78);
    expect(stderr).toContain("is taken away");
    expect(stderr).toContain('50-site.yaml: major: "some"');
    expect(existsSync(`${root.path}/${fragment}`)).toBe(false);
  });
});
