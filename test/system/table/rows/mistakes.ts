import { expect } from "vitest";
import { expectRunning } from "../../moves.ts";
import { configure, journalOfLastRun, schedule, tick } from "../../updater.ts";
import type { Chapter, Row } from "../row.ts";
import { begin, openScene, type Scene } from "../scene.ts";

type Mistake = {
  readonly title: string;
  readonly make: (scene: Scene) => Promise<void>;
  readonly status: number;
  /** All of these stand in what the pass and the dry run say. */
  readonly says: readonly string[];
};

const made: readonly Mistake[] = [
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
    says: ["a web page of 35 bytes", "/v1/webapi/automaticupgrades/channel/default/version"],
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
    title: "an endpoint with the whole address of its version",
    make: ({ host, versions }) =>
      configure(host, `endpoint: ${versions.httpEndpoint}/v1/webapi/automaticupgrades/channel/stable/cloud/version\n`),
    status: 78,
    says: ["/etc/svc-upgrade/50-test.yaml", "the whole address of a channel", "the base URL alone, here http://", "stable/cloud"],
  },
  {
    title: "no endpoint anywhere",
    make: async ({ host }) => void (await host.mustRun(["rm", "/etc/svc-upgrade/50-test.yaml"])),
    status: 78,
    says: ["endpoint"],
  },
];

export const mistakes: Chapter<Scene> = {
  title: "ends a mistake with its status, says what and where, and changes nothing",
  open: openScene,
  begin,
  rows: [
    ...made.map(rowOf),
    {
      title: "an unreadable state is moved aside, and a person is called",
      play: async ({ host }) => {
        await schedule(host, "open");
        await host.write("/var/lib/svc-upgrade-decide/state.json", "{ not json");
        expect(await tick(host)).toBe(0);
        await expectRunning(host, "15.4.5");
        expect((await journalOfLastRun(host)).join("\n")).toContain("svc-upgrade retry");
        expect(await host.mustRun(["ls", "/var/lib/svc-upgrade-decide"])).toContain("state.json.unreadable-");
        expect(JSON.parse(await host.read("/var/lib/svc-upgrade-decide/state.json"))).toMatchObject({ schema: 1 });
      },
    },
    {
      title: "a run without root",
      play: async ({ host }) => {
        const { status, stderr } = await host.run(["svc-upgrade", "run"], { user: "ordinary" });
        expect(status).toBe(77);
        expect(stderr).toContain("sudo svc-upgrade run");
      },
    },
    {
      title: "an unknown command and a misspelt flag",
      play: async ({ host }) => {
        const command = await host.run(["svc-upgrade", "dry-rnu"]);
        expect([command.status, command.stderr]).toEqual([64, expect.stringContaining("Did you mean dry-run?")]);
        const flag = await host.run(["svc-upgrade", "dry-run", "--jsno"]);
        expect([flag.status, flag.stderr]).toEqual([64, expect.stringContaining("Did you mean --json?")]);
      },
    },
  ],
};

function rowOf({ title, make, status, says }: Mistake): Row<Scene> {
  return {
    title,
    play: async (scene) => {
      const { host } = scene;
      await schedule(host, "open");
      await make(scene);

      expect(await tick(host)).toBe(status);
      const journal = (await journalOfLastRun(host)).join("\n");
      const dryRun = await host.run(["svc-upgrade", "dry-run"]);
      expect([dryRun.status, dryRun.stdout]).toEqual([status, ""]);
      for (const word of says) {
        expect(journal).toContain(word);
        expect(dryRun.stderr).toContain(word);
      }
      await expectRunning(host, "15.4.5");
      await expect(sameEveryTime(dryRun.stderr)).toMatchFileSnapshot(`golden/mistake-${title.replace(/\W+/g, "-")}.txt`);
    },
  };
}

/** Ports, addresses and waits differ from host to host. */
function sameEveryTime(text: string): string {
  return text
    .replace(/outer\.test:\d{4,}/g, "outer.test:PORT")
    .replace(/\b10\.\d+\.\d+\.\d+\b/g, "ADDRESS")
    .replace(/wait="\d+ ms"/g, 'wait="N ms"');
}
