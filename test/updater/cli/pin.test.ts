import { existsSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { emptyState, type State } from "../../../src/updater/record/state.ts";
import { version } from "../../rules/version/given.ts";
import { makeRoot, missingForRoots, program, type Ended, type Root } from "./given.ts";

const fragment = "etc/svc-upgrade/90-pin.yaml";
const comment = "# Written by svc-upgrade pin; svc-upgrade unpin takes it away.\n";
const missing = missingForRoots();
if (missing !== undefined) console.warn(`SKIPPED: pin: ${missing}`);

function call(root: Root, args: readonly string[]): Promise<Ended> {
  return program([...args, "--root", root.path]);
}

/** 15.4.6 is installed below it, in an open window; 15.4.7 was served last. */
function host(yaml = "", state: Partial<State> = {}): Root {
  const root = makeRoot("15.4.6");
  root.schedule("open");
  root.write("etc/svc-upgrade/10-site.yaml", `endpoint: https://proxy.example.com\n${yaml}`);
  const at = Math.floor(Date.now() / 1000) - 60;
  const lastContact = { at, served: version("15.4.7"), isCritical: false };
  root.write("var/lib/svc-upgrade-decide/state.json", encodeState({ ...emptyState, lastContact, ...state }));
  return root;
}

function flat({ stdout }: Ended): string {
  return stdout.replaceAll(/\s+/g, " ").trim();
}

describe.skipIf(missing !== undefined)("svc-upgrade pin", () => {
  test("pins the installed version for a reason, and says what follows and how to end it", async () => {
    const root = host();
    const ended = await call(root, ["pin", "v15.4.6", "--reason", "until the audit"]);
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(flat(ended)).toBe(
      "the agent is pinned to 15.4.6: until the audit it is installed, so nothing has to move " +
        `to end it: svc-upgrade unpin --root ${root.path}`,
    );
    expect(root.read(fragment)).toBe(`${comment}pin:\n  version: "15.4.6"\n  reason: "until the audit"\n`);
    expect(statSync(`${root.path}/${fragment}`).mode & 0o7777).toBe(0o644);
    const { stdout } = await call(root, ["config", "--json"]);
    const { settings } = JSON.parse(stdout) as { settings: readonly object[] };
    expect(settings).toContainEqual(
      expect.objectContaining({
        key: "pin",
        value: { version: "15.4.6", reason: "until the audit" },
        origin: `${root.path}/${fragment}`,
      }),
    );
  });

  test("says that the next pass moves, in place of the pin before, and answers in JSON", async () => {
    const root = host("downgrade: allow\n");
    expect(flat(await call(root, ["pin", "15.4.8"]))).toMatch(
      /the next pass begins to upgrade to 15\.4\.8: 15\.4\.8 is pinned; the maintenance window is open until .*; at once: svc-upgrade run --root \S+ --now /,
    );
    const { stdout } = await call(root, ["pin", "15.4.5", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 1,
      pin: { version: "15.4.5" },
      next: { kind: "move", why: "window", target: { kind: "downgrade", to: "15.4.5" } },
    });
    expect(root.read(fragment)).toBe(`${comment}pin:\n  version: "15.4.5"\n`);
  });

  test.each([
    ["15.4", 64, '"15.4" is not a version; give all three numbers, for example `svc-upgrade pin --root DIR 15.4.6`'],
    [
      "15.4.5",
      78,
      "15.4.5 is older than the installed 15.4.6, and downgrade: refuse refuses that; nothing was pinned; `echo 'downgrade: allow' | sudo tee ",
    ],
    [
      "17.0.0",
      78,
      "15.4.6 to 17.0.0 is more than one major version, and major: one-step refuses that; nothing was pinned; set `major: any` in ",
    ],
  ])("refuses %s, and writes nothing", async (text, expected, message) => {
    const root = host("major: one-step\n");
    const { status, stdout, stderr } = await call(root, ["pin", text]);
    expect([status, stdout]).toEqual([expected, ""]);
    expect(stderr).toContain(message.replace("DIR", root.path));
    expect(existsSync(`${root.path}/${fragment}`)).toBe(false);
  });
});

describe.skipIf(missing !== undefined)("svc-upgrade unpin", () => {
  test("takes the pin away, once, and says what the next pass does", async () => {
    const root = host();
    await call(root, ["pin", "15.4.6"]);
    const ended = await call(root, ["unpin"]);
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(flat(ended)).toMatch(
      /^no version is pinned any more the next pass begins to upgrade to 15\.4\.7: the maintenance window is open/,
    );
    expect(existsSync(`${root.path}/${fragment}`)).toBe(false);
    const again = await call(root, ["unpin"]);
    expect([again.status, flat(again).startsWith("no version was pinned the next pass begins to upgrade to 15.4.7")]).toEqual([
      0,
      true,
    ]);
    expect(JSON.parse((await call(root, ["unpin", "--json"])).stdout)).toMatchObject({
      ended: false,
      next: { kind: "move", target: { to: "15.4.7" } },
    });
  });

  test("says so where nobody knows what is served", async () => {
    const root = host("", { lastContact: undefined });
    expect(flat(await call(root, ["unpin"]))).toBe(
      "no version was pinned what the next pass does is not known: no pass has asked the channel default yet, or none with an answer; " +
        `to see: svc-upgrade dry-run --root ${root.path}`,
    );
  });

  test("names another file that still pins, and leaves it to its author", async () => {
    const root = host("pin: {version: 15.4.6}\n");
    await call(root, ["pin", "15.4.7"]);
    const { status, stdout, stderr } = await call(root, ["unpin"]);
    expect([status, stdout]).toEqual([78, ""]);
    expect(stderr).toContain(`the pin that svc-upgrade pin had written is taken away path=${root.path}/${fragment}`);
    expect(stderr).toContain(`15.4.6 is still pinned: ${root.path}/etc/svc-upgrade/10-site.yaml says so`);
  });
});
