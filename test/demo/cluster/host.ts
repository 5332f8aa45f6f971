import { randomUUID } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folders = [
  "etc/svc-upgrade",
  "etc/svc-upgrade.d",
  "etc/systemd/system/timers.target.wants",
  "usr/lib/systemd/system",
  "var/lib/dpkg/info",
  "var/lib/dpkg/updates",
];

const timer = "svc-upgrade.timer";

const agent = `Package: svc-ent
Status: install ok installed
Priority: optional
Section: admin
Maintainer: nobody <nobody@example.com>
Architecture: all
Version: 15.4.4-1
Description: an agent that is one version behind

`;

/** A root as the updater's package and `svc-upgrade enroll` leave it, with an agent in dpkg's database that is one version behind. */
export function prepareHost(root: string, { proxy, caFile }: { readonly proxy: string; readonly caFile: string }): void {
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "etc/machine-id"), `${randomUUID().replaceAll("-", "")}\n`);
  writeFileSync(join(root, "var/lib/dpkg/status"), agent);
  writeFileSync(join(root, "var/lib/dpkg/info/svc-ent.list"), "/.\n");
  const settings = `endpoint: https://${proxy}\nca_file: ${caFile}\nmanager: apt\n`;
  writeFileSync(join(root, "etc/svc-upgrade/10-demo.yaml"), settings, { mode: 0o644 });
  writeFileSync(join(root, "usr/lib/systemd/system", timer), "");
  symlinkSync(`/usr/lib/systemd/system/${timer}`, join(root, "etc/systemd/system/timers.target.wants", timer));
}
