import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import { products } from "../../packaging/products/products.ts";
import { distFolder, nativeArchitecture, projectVersion, versionOf, type Format } from "../../packaging/project.ts";
import { release, rpmArchitectures, rpmVersion } from "../../packaging/rpm/spec.ts";
import { familyOf, type Family } from "./lab/base.ts";
import type { Host, HostOptions } from "./lab/host.ts";
import type { PreparedOptions } from "./lab/prepared.ts";

/** A package of the project for this machine, as `npm run package` left it; of a cluster's also another version. */
export async function builtPackage(name: string, format: Format, asked?: string): Promise<string> {
  const product = products.find(({ packageName }) => packageName === name);
  const version = asked ?? (product === undefined ? projectVersion : versionOf(product.program));
  const names = {
    deb: `${name}_${version}_${nativeArchitecture}.deb`,
    rpm: `${name}-${rpmVersion(version)}-${release}.${rpmArchitectures[nativeArchitecture]}.rpm`,
  };
  const path = join(distFolder, names[format]);
  await access(path).catch(() => {
    const words = asked === undefined ? "" : ` -- svc --cluster-version ${asked}`;
    throw new Error(`${path} is missing: run \`npm run package${words}\` first`);
  });
  return path;
}

/** Hosts that begin with a package installed, for all scenarios that are about what it does then. */
export function withBuilt<Options extends HostOptions>(
  name: string,
  options: Options,
  besides: (host: Host) => Promise<void> = async () => {},
): Options & PreparedOptions {
  const prepared = {
    name,
    recipe: async () => {
      const path = await builtPackage(name, formatOf(familyOf(options.suite)));
      const { size, mtimeMs } = await stat(path);
      return `${path} ${size} ${mtimeMs} ${String(besides)}`;
    },
    prepare: async (host: Host) => {
      await installBuilt(host, name);
      await host.mustRun(["rm", fileIn(host, name)]);
      await besides(host);
    },
  };
  return { ...options, prepared };
}

/** By the package database alone; what is installed already is replaced, as an upgrade does it. Gives what its tool said. */
export async function installBuilt(host: Host, name: string): Promise<string> {
  const format = formatOf(host.family);
  const path = fileIn(host, name);
  await host.copyIn(await builtPackage(name, format), path);
  const tool = format === "deb" ? "dpkg -i" : "rpm --force-debian --replacepkgs --upgrade";
  return host.mustRun(["sh", "-c", `${tool} ${path} 2>&1`]);
}

export function formatOf(family: Family): Format {
  return family === "apt" ? "deb" : "rpm";
}

function fileIn({ family }: Host, name: string): string {
  return `/var/tmp/${name}.${formatOf(family)}`;
}
