import { change, maintainer } from "../about.ts";
import type { Product } from "../product.ts";
import { updater } from "../products/updater.ts";
import type { Architecture } from "../project.ts";
import { packageScript, scriptNames } from "../scripts.ts";
import type { Packing, TreeFile } from "../tree.ts";

export type SpecFacts = {
  /** The updater by default. */
  readonly product?: Product;
  readonly version: string;
  readonly unixSeconds: number;
  readonly packing: Packing;
  /** The package's files, whose paths are relative to the macro `tree`. */
  readonly files: readonly TreeFile[];
};

/** rpm's names of the architectures. */
export const rpmArchitectures: Readonly<Record<Architecture, string>> = { amd64: "x86_64", arm64: "aarch64" };

/** A version for rpm: `1.0.0-rc.1` becomes `1.0.0~rc.1`, which rpm sorts before the release. rpm allows no hyphen. */
export function rpmVersion(version: string): string {
  return version.replace("-", "~").replaceAll("-", "_");
}

export function specFile({ product = updater, version, unixSeconds, packing, files }: SpecFacts): string {
  const { packageName, summary, description } = product;
  return `${settings}%global _binary_payload ${payloads[packing]}
Name: ${packageName}
Version: ${rpmVersion(version)}
Release: ${release}
Summary: ${summary[0]!.toUpperCase()}${summary.slice(1)}
Group: System/Management
License: Apache-2.0 AND MIT AND ISC
Packager: ${maintainer}
${dependencies}
%description
${description.join("\n")}

%install
cp -a "%{tree}/." "%{buildroot}"

%files
${[...ownFolders(files), ...files.map(fileLine)].join("\n")}

${scriptNames(product, "rpm")
  .map((name) => `%${name}\n${packageScript(product, "rpm", name)}`)
  .join("\n")}
%changelog
* ${changelogDate(unixSeconds)} ${maintainer} - ${rpmVersion(version)}-${release}
- ${change}
`;
}

export const release = "1";

const settings = `# The executable is shipped byte by byte as it was built: a runtime that is stripped now crashes at its start.
%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
# Two builds of one commit give the same bytes.
%global use_source_date_epoch_as_buildtime 1
%global _buildhost reproducible
`;

/**
 * How to pack. Every rpm since 4.6 reads xz, which makes the package a third smaller than gzip; SLES 15 may not read zstd. Uses one thread, because
 * with several the bytes depend on their number.
 */
const payloads: Readonly<Record<Packing, string>> = { tight: "w6.xzdio", loose: "w1.gzdio" };

/**
 * The libraries of the runtime, and the first systemd that knows all settings of the units: rpm refuses older hosts. Provides nothing: rpm 4.19 would
 * read the deciding user from sysusers.d and make it, but the package's script makes it on every host.
 */
const dependencies = `AutoReqProv: no
Requires: libc.so.6(GLIBC_2.28)(64bit)
Requires: libgcc_s.so.1()(64bit)
Requires: libstdc++.so.6(GLIBCXX_3.4.21)(64bit)
Requires: systemd >= 247
Requires(post): coreutils systemd >= 247
Requires(preun): coreutils systemd >= 247
Requires(postun): coreutils
# For a version server that is reached by https.
Recommends: ca-certificates
`;

/** Folders that exist on every host with packages. rpm removes every other folder with the last package that names it. */
const standardFolders: readonly string[] = [
  "etc",
  "usr",
  "usr/bin",
  "usr/lib",
  "usr/lib/systemd",
  "usr/lib/systemd/system",
  "usr/lib/systemd/system-preset",
  "usr/lib/sysusers.d",
  "usr/share",
  "usr/share/doc",
  "usr/share/man",
  "usr/share/man/man1",
  "usr/share/man/man8",
];

function ownFolders(files: readonly TreeFile[]): readonly string[] {
  const folders = new Set(files.flatMap(({ to }) => parents(to)).filter((folder) => !standardFolders.includes(folder)));
  return [...folders].toSorted().map((folder) => folderLine(folder));
}

function parents(path: string): readonly string[] {
  const steps = path.split("/").slice(0, -1);
  return steps.map((_step, index) => steps.slice(0, index + 1).join("/"));
}

function folderLine(path: string): string {
  return `%dir %attr(0755,root,root) "/${path}"`;
}

function fileLine(file: TreeFile): string {
  if ("folder" in file)
    return file.folder === "root's" ? folderLine(file.to) : `%ghost %verify(not user group mode) ${folderLine(file.to)}`;
  // A link has no mode of its own.
  if ("link" in file) return `%attr(-,root,root) "/${file.to}"`;
  const mode = (file.mode ?? 0o644).toString(8).padStart(4, "0");
  const [, kind = ""] = /^usr\/share\/(doc|license)s?\//.exec(file.to) ?? [];
  return `${kind === "" ? "" : `%${kind} `}%attr(${mode},root,root) "/${file.to}"`;
}

/** Prints `Thu Oct 09 2025`. */
function changelogDate(unixSeconds: number): string {
  const [weekday, day, month, year] = new Date(unixSeconds * 1000).toUTCString().split(/,? /);
  return `${weekday} ${month} ${day} ${year}`;
}
