import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { makeRoot, missingForRoots, program, versionsOfFile, type Ended, type Root } from "./given.ts";

const noSystemctl = spawnSync("systemctl", ["--version"]).error === undefined ? undefined : "systemctl not installed";
const missing = missingForRoots() ?? noSystemctl;
const isRoot = process.getuid?.() === 0;
const acmeUid = 12_001;

const schedule = "var/lib/acme/upgrade/schedule";
const files = `
  schedule_file: /${schedule}
  config_file: /etc/acme/agent.yaml
  config_key: acme.cluster.address
  environment_file: /etc/acme/environment
`;

const versions = await versionsOfFile();

/** Another root whose agent has files of other names. The package is the lab's own, as only that is in its database. */
function acmeRoot(more = ""): Root {
  const root = makeRoot("15.4.5");
  root.write("etc/passwd", `root:x:0:0::/:/bin/sh\nacme:x:${acmeUid}:${acmeUid}::/:/bin/sh\n`);
  root.write("etc/svc-upgrade/20-acme.yaml", `agent:${files}${more}`);
  return root;
}

function exportSchedule(root: Root, text = `${Math.floor(Date.now() / 1000) + 7200} 4102444800\n`): void {
  root.write(schedule, text);
}

function at(root: Root, ...words: readonly string[]): Promise<Ended> {
  return program([...words, "--root", root.path]);
}

describe.skipIf(missing !== undefined)("an agent whose files have other names", () => {
  test("is looked at by those names, and by no others", async () => {
    const root = acmeRoot(`endpoint: ${versions.url}\n`);
    versions.serve({ version: "v15.4.6" });
    exportSchedule(root);
    root.write("etc/svc-upgrade.d/schedule", "what svc's agent would say\n");
    root.write("etc/default/svc", "HTTPS_PROXY=http://svc.example:3128\n");
    root.write("etc/acme/environment", "HTTPS_PROXY=http://acme.example:3128\n");
    expect((await at(root, "schedule")).stdout).toContain(`${root.path}/${schedule}`);
    expect(JSON.parse((await at(root, "status", "--json")).stdout)).toMatchObject({
      schedule: { file: `${root.path}/${schedule}` },
    });
    expect(JSON.parse((await at(root, "dry-run", "--json")).stdout)).toMatchObject({ decision: { why: "outside-window" } });
    expect((await at(root, "route", "https://a.example")).stdout).toBe(
      `proxy http://acme.example:3128 (HTTPS_PROXY in ${root.path}/etc/acme/environment)\n`,
    );
    const { stdout } = await at(root, "doctor", "--json");
    expect(stdout).toContain(`${root.path}/${schedule} has its next window`);
    expect(stdout).not.toMatch(/svc-upgrade\.d|etc\/svc\.yaml|etc\/default\/svc/);
  });

  test("says which of its files names no endpoint, or a wrong proxy", async () => {
    const root = acmeRoot();
    root.write("etc/svc.yaml", "proxy_server: svc.example:443\n");
    expect((await at(root, "dry-run")).stderr).toContain(`${root.path}/etc/acme/agent.yaml has no acme.cluster.address`);
    root.write("etc/acme/agent.yaml", "acme: {cluster: {address: 'acme.example:443'}}\n");
    const environment = `${root.path}/etc/acme/environment`;
    expect((await at(root, "route")).stdout).toBe("direct (no HTTPS_PROXY is set)\n");
    root.write("etc/acme/environment", "HTTPS_PROXY=socks5://acme.example:1080\n");
    expect((await at(root, "dry-run")).stderr).toContain(`it is set in ${environment}: \`sudoedit ${environment}\``);
  });

  test.runIf(isRoot)("is given its schedule, and has it taken back whatever the settings name by then", async () => {
    const root = acmeRoot();
    versions.serve({ version: "v15.4.6" });
    const enroll = ["enroll", "--endpoint", versions.url, "--agent-user", "acme"];
    const path = `${root.path}/${schedule}`;
    mkdirSync(`${root.path}/var/lib/acme`);
    expect((await at(root, ...enroll)).stdout).toContain(`made ${path}, for acme to write`);
    expect([path, dirname(path), dirname(dirname(path))].map((each) => lstatSync(each).uid)).toEqual([acmeUid, acmeUid, 0]);
    expect((await at(root, ...enroll)).stdout).toContain(`already enrolled: ${path} belongs to acme`);

    root.write("etc/svc-upgrade/20-acme.yaml", "agent: {schedule_file: /var/lib/acme/other/schedule}\n");
    const other = await at(root, ...enroll, "--channel", "stable/cloud");
    expect(other.status).toBe(74);
    expect(other.stderr.replaceAll(/\s+/g, " ")).toContain(
      `sudo svc-upgrade unenroll --root ${root.path} && sudo svc-upgrade enroll --root ${root.path} --endpoint ${versions.url} --channel stable/cloud`,
    );
    expect((await at(root, "unenroll")).stdout).toContain(`removed ${root.path}/var/lib/acme/upgrade\n`);
    expect((await at(root, ...enroll)).stdout).toContain("/var/lib/acme/other/schedule, for acme to write");
  });
});
