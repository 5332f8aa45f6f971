import { resolve } from "node:path";
import { generatedFiles } from "./generated.ts";
import { noticesPath } from "./notices.ts";
import { executablePath, projectRoot, type Architecture } from "./project.ts";
import type { TreeFile } from "./tree.ts";

/** The folders that the distributions of a format keep elsewhere than others do. */
export type Places = { readonly zshCompletions: string; readonly licences: string };

/** What a package installs, whatever its format; a format adds only what its distributions ask for. */
export function contents(architecture: Architecture, places: Places): readonly TreeFile[] {
  return [
    { to: "usr/bin/svc-upgrade", from: executablePath(architecture), mode: 0o755 },
    // Below /usr/lib: systemd reads units there in every layout, and dpkg loses none when /lib becomes a link.
    unit("system/svc-upgrade.timer"),
    unit("system/svc-upgrade.service"),
    unit("system/svc-upgrade-ask.service"),
    unit("system-preset/50-svc-upgrade.preset"),
    { to: "etc/svc-upgrade", folder: "root's" },
    { to: "etc/svc-upgrade.d", folder: "agent's" },
    ...generatedFiles(places),
    { to: `${places.licences}/third-party-notices.gz`, compressedFrom: noticesPath },
  ];
}

function unit(path: `${string}/${string}`): TreeFile {
  const [, name] = path.split("/");
  return { to: `usr/lib/systemd/${path}`, from: resolve(projectRoot, "systemd", name!) };
}
