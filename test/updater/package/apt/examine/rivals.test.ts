import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { rivals } from "../../../../../src/updater/package/apt/examine/rivals.ts";
import type { PackageName } from "../../../../../src/rules/settings/settings.ts";
import { scratchFolder } from "../../../../machine/files/scratch.ts";
import { answering, type Answers } from "../answers.ts";

const root = scratchFolder();
const program = "/usr/bin/unattended-upgrade";

function put(path: string, text: string): void {
  mkdirSync(dirname(`${root}${path}`), { recursive: true });
  writeFileSync(`${root}${path}`, text);
}

beforeEach(() => {
  for (const path of ["/usr", "/etc"]) rmSync(`${root}${path}`, { recursive: true, force: true });
  put(program, "");
  put("/etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\nID=debian\nVERSION_ID="12"\n');
});

const options = (pattern: string): string =>
  `APT::Periodic::Unattended-Upgrade\t1\nUnattended-Upgrade::Origins-Pattern::\t${pattern}\n`;
/** What offers the package, and another repository beside it. */
const policy = `agent++:
  Installed: 1.0
  Candidate: 2.0
  Version table:
     2.0 500
        500 http://packages.example stable/main amd64 Packages
 *** 1.0 100
        100 /var/lib/dpkg/status
`;
const releases = `Package files:
 100 /var/lib/dpkg/status
     release a=now
 500 http://other.example stable/main amd64 Packages
     release o=Other,a=stable,n=bookworm,c=main
     origin other.example
 500 http://packages.example stable/main amd64 Packages
     release o=Lab,a=stable,n=bookworm,c=main
     origin packages.example
`;
const answers = (pattern: string): Answers => [
  [/^apt-config dump/, options(pattern)],
  [/^apt-cache policy agent/, policy],
  [/^apt-cache policy$/, releases],
];

async function found(pattern: string, active = "apt-daily-upgrade.timer"): Promise<readonly { told: string; fix: string }[]> {
  const calls = answering(answers(pattern), root);
  return rivals({ ...calls, isActive: async (unit) => unit === active }, "agent++" as PackageName);
}

describe("other programs that move the package", () => {
  test("are unattended-upgrades where its patterns name the repository, and how to keep it from that is told", async () => {
    expect(await found("origin=Lab")).toEqual([
      {
        told: 'unattended-upgrades moves agent++ too, whatever the window says: its pattern "origin=Lab" names the repository',
        // A plus means itself in what unattended-upgrades reads as an expression.
        fix: `echo 'Unattended-Upgrade::Package-Blacklist { "^agent[+][+]$"; };' | sudo tee /etc/apt/apt.conf.d/52svc-upgrade`,
      },
    ]);
  });

  test("are so by the pattern codename=${distro_codename}", async () => {
    expect(await found("codename=${distro_codename}")).toHaveLength(1);
  });

  test("by a pattern with the distribution's name are so where that is the origin's", async () => {
    put("/etc/os-release", 'ID="ubuntu"\n');
    const calls = answering(
      [[/^apt-cache policy$/, releases.replace("o=Lab", "o=Ubuntu")], ...answers("origin=${distro_id}")],
      root,
    );
    expect(await rivals({ ...calls, isActive: async () => true }, "agent++" as PackageName)).toHaveLength(1);
    expect(await found("origin=${distro_id}")).toEqual([]);
  });

  test("are none where its program is not there, or its timer does not run", async () => {
    expect(await found("origin=Lab", "apt-daily.timer")).toEqual([]);
    rmSync(`${root}${program}`);
    expect(await found("origin=Lab")).toEqual([]);
  });

  test("are none that could be told on a host that does not say what it is", async () => {
    rmSync(`${root}/etc/os-release`);
    expect(await found("codename=${distro_codename}")).toEqual([]);
    expect(await found("origin=Lab")).toHaveLength(1);
  });

  test("are the actions of cron-apt that install, each with what keeps it from that", async () => {
    put("/etc/cron.d/cron-apt", "");
    for (const name of ["9-late", "5-install"]) put(`/etc/cron-apt/action.d/${name}`, "dist-upgrade -y\n");
    const path = (name: string): string => `${root}/etc/cron-apt/action.d/${name}`;
    expect((await found("origin=Other")).map(({ told, fix }) => [told, fix])).toEqual(
      ["5-install", "9-late"].map((name) => [
        `cron-apt installs whatever is newer: ${path(name)}`,
        `sudo sed -i 's/upgrade/upgrade --download-only/' ${path(name)}`,
      ]),
    );
    expect(await found("origin=Lab")).toHaveLength(3);
  });
});
