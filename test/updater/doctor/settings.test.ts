import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { examineSettings, type KnownSettings } from "../../../src/updater/doctor/settings.ts";
import { pathsBelow } from "../../../src/machine/files/paths.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const scratch = scratchFolder();
let roots = 0;

type Files = Readonly<Record<string, string>>;

async function look(files: Files, variables: Files = {}): Promise<KnownSettings & { readonly root: string }> {
  const root = `${scratch}/${(roots += 1)}`;
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(`${root}${path}`), { recursive: true });
    writeFileSync(`${root}${path}`, text);
    if (text.includes("open to all")) chmodSync(`${root}${path}`, 0o666);
  }
  const found = await examineSettings({
    paths: pathsBelow(root),
    environment: variables,
    flags: [],
    ownerUid: process.getuid?.() ?? 0,
    log: () => undefined,
  });
  return { ...found, root };
}

const cluster = "/etc/svc-upgrade/10-cluster.yaml";

describe("the settings", () => {
  test("are well with an endpoint, and say where that comes from", async () => {
    const { finding, endpoint, root } = await look({ [cluster]: "endpoint: https://proxy.example.com\nchannel: stable/cloud\n" });
    expect(finding).toEqual({
      verdict: "ok",
      told: `endpoint https://proxy.example.com (${root}${cluster}), channel stable/cloud`,
    });
    expect(endpoint).toBe("https://proxy.example.com");
  });

  test("fail without an endpoint, and all else is known", async () => {
    const { finding, settings, endpoint } = await look({ [cluster]: "agent: {package: other, unit: other.service}\n" });
    expect(finding).toMatchObject({ verdict: "failed", fix: "sudo svc-upgrade enroll --endpoint https://proxy.example.com" });
    expect([settings.agent.package, endpoint]).toEqual(["other", undefined]);
  });

  test("tell every fault at once, name the files to edit, and go on with what is right", async () => {
    const { finding, settings, endpoint, root } = await look(
      {
        [cluster]:
          "endpoint: https://proxy.example.com\nchanel: typo\nagent: {package: other, unit: other.service, activate: never}\n",
        "/etc/svc-upgrade/20-value.yaml": "unscheduled: sometimes\n",
        "/etc/svc-upgrade/30-broken.yaml": "holds: [\n",
      },
      { SVC_UPGRADE_MAJOR: "none" },
    );
    expect(finding.verdict).toBe("failed");
    for (const word of ["chanel", "activate", "sometimes", "30-broken.yaml", "SVC_UPGRADE_MAJOR"])
      expect(finding.told).toContain(word);
    expect(finding.told).not.toContain("\n");
    const below = `${root}/etc/svc-upgrade`;
    expect(new Set(finding.fix?.split(" "))).toEqual(
      new Set(["sudoedit", `${below}/10-cluster.yaml`, `${below}/20-value.yaml`, `${below}/30-broken.yaml`]),
    );
    expect(endpoint).toBe("https://proxy.example.com");
    expect(settings).toMatchObject({
      unscheduled: "rescue",
      agent: { package: "other", unit: "other.service", activate: "restart" },
    });
  });

  test("find the endpoint in the agent's own configuration though they are wrong elsewhere", async () => {
    const { finding, endpoint } = await look({
      "/etc/svc.yaml": "svc:\n  proxy_server: proxy.example.com:443\n",
      [cluster]: "unscheduled: sometimes\n",
    });
    expect(finding.verdict).toBe("failed");
    expect(endpoint).toContain("https://proxy.example.com");
  });

  test("name the nearest time zone for one that is none, and the file to edit", async () => {
    const { finding, settings, endpoint, root } = await look({
      "/etc/svc.yaml": "svc:\n  proxy_server: proxy.example.com:443\n",
      [cluster]: 'window: {start: "02:30", duration: 2h, timezone: Europe/Berlim}\n',
      "/etc/svc-upgrade/20-right.yaml": "channel: stable\n",
    });
    expect(finding).toMatchObject({ verdict: "failed", fix: `sudoedit ${root}${cluster}` });
    expect(finding.told).toContain('window.timezone: "Europe/Berlim", which is no time zone, did you mean Europe/Berlin?');
    expect(endpoint).toContain("https://proxy.example.com");
    expect(settings).toMatchObject({ channel: "stable", window: { local: [{ start: 9000 }] } });
  });

  test("are the built-in ones where those that are right do not make a whole", async () => {
    const { settings, endpoint } = await look({ [cluster]: "agent: {package: other}\nendpoint: https://proxy.example.com\n" });
    expect([settings.agent.package, endpoint]).toEqual(["svc-ent", undefined]);
  });

  test("are not taken from a file that others may write, and the fix closes it", async () => {
    const { finding, settings, root } = await look({ [cluster]: "downgrade: allow # open to all\n" });
    const uid = process.getuid?.() ?? 0;
    const below = `${root}/etc/svc-upgrade`;
    expect(finding).toMatchObject({
      verdict: "failed",
      fix: `sudo chown -R ${uid}:${uid} ${below} && sudo chmod -R go-w ${below}`,
    });
    expect(settings.downgrade).toBe("refuse");
  });
});
