import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folders = [
  "etc/apt/apt.conf.d",
  "etc/apt/preferences.d",
  "etc/apt/sources.list.d",
  "etc/svc-upgrade",
  "etc/svc-upgrade.d",
  "usr/bin",
  "var/cache/apt/archives/partial",
  "var/lib/apt/lists/partial",
  "var/lib/dpkg/info",
  "var/lib/dpkg/updates",
  "var/log/apt",
];

/** A root with a package database, one package source and one settings fragment; nothing is installed in it. */
export function prepareRoot(root: string, serverUrl: string): void {
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "var/lib/dpkg/status"), "");
  writeFileSync(join(root, "etc/apt/sources.list.d/demo.list"), `deb [trusted=yes] ${serverUrl}/packages ./\n`);
  writeFileSync(join(root, "etc/svc-upgrade/10-demo.yaml"), `endpoint: ${serverUrl}\nmanager: apt\n`, { mode: 0o644 });
}

/** The schedule as an agent would export it: an hour that is open now, or one that opens tomorrow. */
export function writeSchedule(root: string, state: "open" | "closed"): void {
  const now = Math.floor(Date.now() / 1000);
  const start = state === "open" ? now - 60 : now + 86_400;
  writeFileSync(join(root, "etc/svc-upgrade.d/schedule"), `# exported by the agent\n${start} ${start + 3600}\n`, { mode: 0o644 });
}
