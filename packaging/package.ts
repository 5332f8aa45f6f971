// npm run package [-- amd64 | arm64]: dist/svc-ent-updater_<version>_<architecture>.deb, around a fresh executable.
import { readFileSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { changelog, controlFile } from "./deb/control.ts";
import { checksums, fillTree, installedKilobytes, settleTimes, type TreeFile } from "./deb/tree.ts";
import { buildExecutables } from "./executables.ts";
import { noticesPath } from "./notices.ts";
import { architectures, buildDate, distFolder, executablePath, packagePath, projectRoot, projectVersion } from "./project.ts";
import type { Architecture } from "./project.ts";
import { runScript } from "./script.ts";
import { runTool } from "./tool.ts";

await runScript(async () => {
  const asked = architectures.filter((architecture) => process.argv.includes(architecture));
  const wanted = asked.length > 0 ? asked : architectures;
  await buildExecutables(wanted);
  for (const architecture of wanted) {
    makePackage(architecture);
    console.log(packagePath(architecture));
  }
});

function makePackage(architecture: Architecture): void {
  const tree = resolve(distFolder, "work", architecture, "deb");
  rmSync(tree, { recursive: true, force: true });
  fillTree(tree, contents(architecture));
  const control = controlFile({ version: projectVersion, architecture, installedKilobytes: installedKilobytes(tree) });
  const md5sums = checksums(tree);
  fillTree(tree, [{ to: "DEBIAN/control", text: control }, { to: "DEBIAN/md5sums", text: md5sums }, ...maintainerScripts()]);
  settleTimes(tree, buildDate());
  const unfinished = resolve(distFolder, "work", architecture, "unfinished.deb");
  // dpkg-deb takes the archive's own times from here.
  process.env["SOURCE_DATE_EPOCH"] = String(buildDate());
  runTool(["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", tree, unfinished]);
  renameSync(unfinished, packagePath(architecture));
}

function contents(architecture: Architecture): readonly TreeFile[] {
  const unit = (name: string): TreeFile => ({
    to: `usr/lib/systemd/system/${name}`,
    from: resolve(projectRoot, "systemd", name),
  });
  const doc = "usr/share/doc/svc-ent-updater";
  return [
    { to: "usr/bin/svc-upgrade", from: executablePath(architecture), mode: 0o755 },
    // Below /usr/lib: systemd reads units there in every layout, and dpkg loses none when /lib becomes a link.
    unit("svc-upgrade.timer"),
    unit("svc-upgrade.service"),
    unit("svc-upgrade-ask.service"),
    { to: "usr/lib/systemd/system-preset/50-svc-upgrade.preset", from: resolve(projectRoot, "systemd/50-svc-upgrade.preset") },
    { to: "etc/svc-upgrade", folder: true },
    { to: "etc/svc-upgrade.d", folder: true },
    { to: `${doc}/copyright`, from: debFile("copyright") },
    { to: `${doc}/changelog.gz`, compressed: changelog(projectVersion, buildDate()) },
    { to: `${doc}/third-party-notices.gz`, compressed: readFileSync(noticesPath, "utf8") },
    { to: "usr/share/lintian/overrides/svc-ent-updater", from: debFile("lintian-overrides") },
  ];
}

function maintainerScripts(): readonly TreeFile[] {
  return ["preinst", "postinst", "prerm", "postrm"].map((name) => ({ to: `DEBIAN/${name}`, from: debFile(name), mode: 0o755 }));
}

function debFile(name: string): string {
  return resolve(import.meta.dirname, "deb", name);
}
