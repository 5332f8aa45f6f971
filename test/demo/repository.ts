import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";

/** Builds one small agent package per version, without maintainer scripts but for those that fail, and the index that apt reads. */
export async function buildRepository(
  folder: string,
  versions: readonly string[],
  failing: readonly string[] = [],
): Promise<void> {
  const packages = join(folder, "packages");
  mkdirSync(packages);
  const entries: string[] = [];
  for (const version of versions) entries.push(await buildPackage(packages, version));
  for (const version of failing) entries.push(await buildPackage(packages, version, "#!/bin/sh\nexit 1\n"));
  const index = `${entries.join("\n\n")}\n`;
  writeFileSync(join(packages, "Packages"), index);
  writeFileSync(
    join(packages, "Release"),
    `Origin: demo\nSuite: demo\nDate: ${new Date().toUTCString()}\nSHA256:\n ${sha256(index)} ${index.length} Packages\n`,
  );
}

async function buildPackage(packages: string, version: string, afterInstallation?: string): Promise<string> {
  const tree = join(packages, "tree");
  mkdirSync(join(tree, "DEBIAN"), { recursive: true });
  mkdirSync(join(tree, "usr/bin"), { recursive: true });
  const control = `Package: svc-ent\nVersion: ${version}\nArchitecture: all\nMaintainer: demo <demo@example.com>\nDescription: the demo's agent`;
  writeFileSync(join(tree, "DEBIAN/control"), `${control}\n`);
  if (afterInstallation !== undefined) writeFileSync(join(tree, "DEBIAN/postinst"), afterInstallation, { mode: 0o755 });
  writeFileSync(join(tree, "usr/bin/svc"), `#!/bin/sh\necho "svc v${version}"\n`, { mode: 0o755 });
  const file = `svc-ent_${version}_all.deb`;
  await execa("dpkg-deb", ["--root-owner-group", "-b", tree, join(packages, file)], { timeout: 60_000 });
  rmSync(tree, { recursive: true });
  const bytes = readFileSync(join(packages, file));
  return `${control}\nFilename: ./${file}\nSize: ${bytes.length}\nSHA256: ${sha256(bytes)}`;
}

function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}
