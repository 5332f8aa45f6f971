import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Host } from "./host.ts";
import { buildPackage, packageVersion } from "./package.ts";
import { mustRun } from "./program.ts";

/** An agent of another make, whose names and places are all its own; docs/other-agents.md adapts the updater to it. */
export const acme = {
  package: "acme-agent",
  unit: "acme-agentd.service",
  user: "acme",
  schedule: "/var/lib/acme/upgrade/schedule",
  config: "/etc/acme/agent.yaml",
  environment: "/etc/acme/environment",
} as const;

export type AcmeOptions = { readonly version: string; readonly start?: "runs" | "crashes" };

const source = join(import.meta.dirname, "acmed.c");

/** The answer is the path of the package, for `repository.publish`. */
export async function buildAcmeAgent(host: Host, { version, start = "runs" }: AcmeOptions): Promise<string> {
  const directory = join(host.directory, "acmed");
  await mkdir(directory, { recursive: true });
  const binary = join(directory, `${version}-${start}`);
  const macros = [`-DVERSION="${version}"`, ...(start === "crashes" ? ["-DCRASHES"] : [])];
  await mustRun(["gcc", "-static", "-O1", "-s", ...macros, "-o", binary, source]);
  return buildPackage(host, {
    name: acme.package,
    version: packageVersion(host, version),
    files: {
      "/opt/acme/bin/acmed": { content: { file: binary }, mode: 0o755 },
      [`/usr/lib/systemd/system/${acme.unit}`]: { content: unitText },
    },
    scripts: {
      preinst: `getent passwd ${acme.user} >/dev/null || useradd --system --home-dir / --shell /usr/sbin/nologin ${acme.user}\n`,
    },
  });
}

const unitText = `[Unit]
Description=Acme's agent

[Service]
User=${acme.user}
StateDirectory=acme
EnvironmentFile=-${acme.environment}
ExecStart=/opt/acme/bin/acmed
Restart=always
RestartSec=1

[Install]
WantedBy=multi-user.target
`;
