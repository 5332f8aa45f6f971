import { describe, expect, test } from "vitest";
import { rpmSuites, suites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario } from "./lab/scenario.ts";
import { configure, installedVersion, journalOfLastRun, outdatedHost, tick, withUpdater } from "./updater.ts";

const calendar = "/var/lib/svc-upgrade-decide/calendar.json";

/** Nothing of it has to be there: the name in the link is all that counts. */
async function setZone(host: Host, zone: string): Promise<void> {
  await host.mustRun(["ln", "-sfn", `/usr/share/zoneinfo/${zone}`, "/etc/localtime"]);
}

/** Minutes from now, as the clocks of Kathmandu show it: five hours and three quarters before UTC, summer and winter. */
function inKathmandu(minutes: number): string {
  return new Date(Date.now() + (5 * 60 + 45 + minutes) * 60_000).toISOString().slice(11, 16);
}

async function calendarOf(host: Host): Promise<{ readonly spans: readonly { readonly start: number; readonly stop: number }[] }> {
  return JSON.parse(await host.mustRun(["cat", calendar])) as Awaited<ReturnType<typeof calendarOf>>;
}

async function told(host: Host): Promise<string> {
  return (await journalOfLastRun(host)).join("\n");
}

describe.each([...suites, ...rpmSuites])("a local window on %s", (suite) => {
  test(
    "is the host's own time: it moves when the host is set to the zone in which the window is open, and not before",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await host.mustRun(["rm", "-rf", "/usr/share/zoneinfo"]);
      await setZone(host, "Etc/UTC");
      await configure(host, `window: {start: "${inKathmandu(-10)}", duration: 2h}\n`, "60-window");
      expect(await tick(host)).toBe(0);
      expect(await told(host)).toContain("outside the maintenance window");
      expect(await installedVersion(host)).toMatch(/^15\.4\.5(?:-1)?$/);
      const before = await calendarOf(host);
      expect(await host.mustRun(["stat", "-c", "%U %a", calendar])).toBe("svc-upgrade 644\n");

      await setZone(host, "Asia/Kathmandu");
      expect(await tick(host)).toBe(0);
      expect(await installedVersion(host)).toMatch(/^15\.4\.6(?:-1)?$/);
      const after = await calendarOf(host);
      expect(after.spans[0]?.start).not.toBe(before.spans[0]?.start);
    }),
  );
});

test(
  "the acting unit works out the window by itself, and believes nothing that the deciding unit's user has written",
  scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
    const { host } = stage;
    await outdatedHost(stage);
    await setZone(host, "Asia/Kathmandu");
    await configure(host, `window: {start: "${inKathmandu(120)}", duration: 2h}\n`, "60-window");
    expect(await tick(host)).toBe(0);
    expect(await told(host)).toContain("outside the maintenance window");

    // Open by what lies there, and by nothing else.
    const now = Math.floor(Date.now() / 1000);
    const forged = { ...(await calendarOf(host)), spans: [{ start: now - 600, stop: now + 7200 }] };
    await host.write("/root/forged.json", JSON.stringify(forged));
    await host.mustRun(["sh", "-c", `cat /root/forged.json >${calendar}`]);
    await tick(host);
    expect(await told(host)).toMatch(/svc-upgrade-act\.service does not install 15\.4\.6\S*: outside the maintenance window/);
    expect(await installedVersion(host)).toBe("15.4.5");
    expect(await calendarOf(host)).toEqual(forged);

    // The same settings, when the window has come.
    await configure(host, `window: {start: "${inKathmandu(-10)}", duration: 2h}\n`, "60-window");
    expect(await tick(host)).toBe(0);
    expect(await installedVersion(host)).toBe("15.4.6");
  }),
);

test(
  "an ordinary user, a read-only state and a damaged calendar get the same answer",
  scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
    const { host } = stage;
    await outdatedHost(stage);
    await setZone(host, "Asia/Kathmandu");
    await configure(host, `window: {start: "${inKathmandu(-10)}", duration: 2h}\n`, "60-window");
    const answer = async (...before: readonly string[]): Promise<unknown> => {
      const { decision } = JSON.parse(await host.mustRun([...before, "svc-upgrade", "dry-run", "--json"])) as {
        decision: object;
      };
      return decision;
    };
    const open = expect.objectContaining({ kind: "move", why: "window" }) as unknown;
    expect(await answer()).toEqual(open);
    expect(await answer("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")).toEqual(open);
    await host.write(calendar, "{");
    expect(await answer()).toEqual(open);
    expect(await host.mustRun(["cat", calendar])).toBe("{");
    expect(await tick(host)).toBe(0);
    expect(await installedVersion(host)).toBe("15.4.6");
    expect((await calendarOf(host)).spans.length).toBeGreaterThan(10);
    expect((await host.run(["env", "TZ=America/New_York", "svc-upgrade", "schedule"])).stdout).toContain("open until");
  }),
);
