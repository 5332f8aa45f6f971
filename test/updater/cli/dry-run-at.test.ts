import { describe, expect, test } from "vitest";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { emptyState, type State } from "../../../src/updater/record/state.ts";
import { instant, makeRoot, missingForRoots, program, versionsOfFile, type Ended, type Root } from "./given.ts";

const missing = missingForRoots();

/** Sunday 2098-11-23, 02:00 UTC: no clock that runs this is there yet. */
const opens = Date.UTC(2098, 10, 23, 2) / 1000;
const stops = opens + 3600;
const available = "an upgrade is available (15.4.5 -> 15.4.6)";

const versions = await versionsOfFile();
versions.serve({ version: "v15.4.6" });

describe.skipIf(missing !== undefined)("a dry run for another time", () => {
  function host({ settings = "", state }: { readonly settings?: string; readonly state?: Partial<State> }): Root {
    const root = makeRoot("15.4.5");
    root.lists("15.4.5", "15.4.6");
    root.write("etc/svc-upgrade/10-test.yaml", `endpoint: ${versions.url}\n${settings}`);
    root.write("etc/svc-upgrade.d/schedule", `${opens} ${stops}\n${opens + 86_400} ${stops + 86_400}\n`);
    if (state !== undefined) root.write("var/lib/svc-upgrade-decide/state.json", encodeState({ ...emptyState, ...state }));
    return root;
  }

  function at(root: Root, time: string, args: readonly string[] = []): Promise<Ended> {
    return program(["dry-run", "--at", time, ...args, "--root", root.path], { env: { TZ: "Europe/Berlin" } });
  }

  test("says what a pass would do then, where a hold is over", async () => {
    const settings = 'hold: {until: "2098-11-23T02:30:00Z", reason: audit}\n';
    const { status, stdout, stderr } = await at(host({ settings }), "2098-11-23 03:30");
    expect([status, stdout]).toEqual([0, `${available}\n`]);
    expect(stderr).toContain(`${available}, a pass at 2098-11-23T02:30:00Z would upgrade: the maintenance window is open until`);
  });

  test("has that time in its JSON, and asks the channel now", async () => {
    const asked = versions.asked.length;
    const { status, stdout } = await at(host({}), `@${opens - 1}`, ["--json", "--exit-code"]);
    expect(status).toBe(100);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 1,
      available: true,
      decision: { kind: "stay", why: "outside-window", until: instant(opens) },
      at: instant(opens - 1),
    });
    expect(versions.asked.length).toBeGreaterThan(asked);
    const { stdout: now } = await program(["dry-run", "--json", "--root", host({}).path]);
    expect(JSON.parse(now)).not.toHaveProperty("at");
  });

  test("refuses what is no time before it asks anybody", async () => {
    const asked = versions.asked.length;
    const { status, stdout, stderr } = await at(host({}), "2027-03-28 02:30");
    expect([status, stdout]).toEqual([64, ""]);
    expect(stderr).toContain('"2027-03-28 02:30" is skipped by the clocks of Europe/Berlin');
    expect(versions.asked.length).toBe(asked);
  });
});
