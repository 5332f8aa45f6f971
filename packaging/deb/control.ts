import { change, maintainer } from "../about.ts";
import type { Product } from "../product.ts";
import type { Architecture } from "../project.ts";

export type ControlFacts = { readonly version: string; readonly architecture: Architecture; readonly installedKilobytes: number };

/** A version for dpkg: `1.0.0-rc.1` becomes `1.0.0~rc.1`, which dpkg sorts before the release. */
export function debianVersion(version: string): string {
  return version.replace("-", "~");
}

type Described = Pick<Product, "packageName" | "summary" | "description">;

export function controlFile({ packageName, summary, description }: Described, facts: ControlFacts): string {
  const { version, architecture, installedKilobytes } = facts;
  return [
    `Package: ${packageName}`,
    `Version: ${debianVersion(version)}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${installedKilobytes}`,
    // The libraries of the runtime, and the first systemd that knows all settings of the units.
    "Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6, systemd (>= 247)",
    // The updater needs certificates to reach a version server over https.
    "Recommends: ca-certificates",
    "Section: admin",
    "Priority: optional",
    `Description: ${summary}`,
    ...description.map((line) => ` ${line}`),
    "",
  ].join("\n");
}

export function changelog(packageName: string, version: string, unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000).toUTCString().replace("GMT", "+0000");
  const release = `${packageName} (${debianVersion(version)}) stable; urgency=medium`;
  return `${release}\n\n  * ${change}\n\n -- ${maintainer}  ${date}\n`;
}
