import { describe, expect, test } from "vitest";
import { scenario, type Stage } from "./lab/scenario.ts";
import { configure, installedVersion, installUpdater, outdatedHost, schedule, tick } from "./updater.ts";

const bookworm = { suite: "bookworm" } as const;

/** Ports, addresses and waits differ from host to host. */
function sameEveryTime(text: string): string {
  return text
    .replace(/outer\.test:\d{4,}/g, "outer.test:PORT")
    .replace(/\b10\.\d+\.\d+\.\d+\b/g, "ADDRESS")
    .replace(/wait="\d+ ms"/g, 'wait="N ms"');
}

type Mistake = {
  readonly title: string;
  readonly make: (stage: Stage) => Promise<void>;
  readonly status: number;
  /** All of these stand in what the pass and the dry run say. */
  readonly says: readonly string[];
};

const mistakes: readonly Mistake[] = [
  {
    title: "an endpoint where nobody listens",
    make: ({ host }) => configure(host, "endpoint: https://outer.test:9\n"),
    status: 75,
    says: ["outer.test:9"],
  },
  {
    title: "an endpoint that is another web site",
    make: async ({ versions }) => versions.serve("default", { version: "<!DOCTYPE html><html>Welcome</html>" }),
    status: 65,
    says: ["<!DOCTYPE html>", "/v1/webapi/automaticupgrades/channel/default/version"],
  },
  {
    title: "a channel that does not exist",
    make: ({ host, versions }) =>
      configure(host, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\nchannel: stabel\n`),
    status: 69,
    says: ["stabel"],
  },
  {
    title: "an unknown key and a wrong value in two files, told at once",
    make: async ({ host }) => {
      await configure(host, "chanel: default\n", "60-typo");
      await configure(host, "unscheduled: sometimes\n", "61-value");
    },
    status: 78,
    says: ["/etc/svc-upgrade/60-typo.yaml", "chanel", "channel", "/etc/svc-upgrade/61-value.yaml", "sometimes", "rescue"],
  },
  {
    title: "a fragment that is no YAML",
    make: ({ host }) => configure(host, "endpoint: [\n", "60-broken"),
    status: 78,
    says: ["/etc/svc-upgrade/60-broken.yaml"],
  },
  {
    title: "a fragment that belongs to another user",
    make: ({ host }) => host.write("/etc/svc-upgrade/60-foreign.yaml", "downgrade: allow\n", { owner: "1000:1000" }),
    status: 78,
    says: ["/etc/svc-upgrade/60-foreign.yaml"],
  },
  {
    title: "a fragment that everybody may write",
    make: ({ host }) => host.write("/etc/svc-upgrade/60-open.yaml", "downgrade: allow\n", { mode: "0666" }),
    status: 78,
    says: ["/etc/svc-upgrade/60-open.yaml"],
  },
  {
    title: "no endpoint anywhere",
    make: async ({ host }) => void (await host.mustRun(["rm", "/etc/svc-upgrade/50-test.yaml"])),
    status: 78,
    says: ["endpoint"],
  },
];

describe("a mistake ends with its status, a message that says what and where, and nothing changed", () => {
  for (const { title, make, status, says } of mistakes) {
    test(
      title,
      scenario(bookworm, async (stage) => {
        const { host } = stage;
        await outdatedHost(stage);
        await schedule(host, "open");
        await make(stage);

        expect(await tick(host)).toBe(status);
        const journal = await host.mustRun(["journalctl", "--quiet", "-u", "svc-upgrade", "-o", "cat"]);
        const dryRun = await host.run(["svc-upgrade", "dry-run"]);
        expect([dryRun.status, dryRun.stdout]).toEqual([status, ""]);
        for (const word of says) {
          expect(journal).toContain(word);
          expect(dryRun.stderr).toContain(word);
        }
        expect(await installedVersion(host)).toBe("15.4.5");
        await expect(sameEveryTime(dryRun.stderr)).toMatchFileSnapshot(`golden/mistake-${title.replace(/\W+/g, "-")}.txt`);
      }),
    );
  }

  test(
    "an unreadable state file is moved aside, and a person is called",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      await host.write("/var/lib/svc-upgrade/state.json", "{ not json");
      expect(await tick(host)).toBe(0);
      expect(await installedVersion(host)).toBe("15.4.5");
      const journal = await host.mustRun(["journalctl", "--quiet", "-u", "svc-upgrade", "-o", "cat"]);
      expect(journal).toContain("svc-upgrade retry");
      const files = await host.mustRun(["ls", "/var/lib/svc-upgrade"]);
      expect(files).toContain("state.json.unreadable-");
      expect(JSON.parse(await host.read("/var/lib/svc-upgrade/state.json"))).toMatchObject({ schema: 1 });
    }),
  );

  test(
    "a run without root",
    scenario(bookworm, async (stage) => {
      await installUpdater(stage.host);
      const { status, stderr } = await stage.host.run(["svc-upgrade", "run"], { user: "ordinary" });
      expect(status).toBe(77);
      expect(stderr).toContain("sudo svc-upgrade run");
    }),
  );

  test(
    "an unknown command and a misspelt flag",
    scenario(bookworm, async (stage) => {
      await installUpdater(stage.host);
      const command = await stage.host.run(["svc-upgrade", "dry-rnu"]);
      expect([command.status, command.stderr]).toEqual([64, expect.stringContaining("Did you mean dry-run?")]);
      const flag = await stage.host.run(["svc-upgrade", "dry-run", "--jsno"]);
      expect([flag.status, flag.stderr]).toEqual([64, expect.stringContaining("Did you mean --json?")]);
    }),
  );
});
