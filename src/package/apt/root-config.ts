import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../fault/fault.ts";

/** apt's configuration has no way to write these inside a quoted value. */
const unwritable = /["\\\p{Cc}]/u;

/** Writes the configuration that keeps apt and dpkg below the root, and gives its path. */
export function writeRootConfig(root: string): string {
  const path = `${root}/var/lib/svc-upgrade/apt.conf`;
  const text = rootConfig(root);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o644 });
  } catch (thrown) {
    throw new Fault("file-failed", {
      message: `${path} could not be written`,
      hint: "run as the owner of that root, or give it room",
      cause: thrown,
    });
  }
  return path;
}

/** dpkg's own directory. */
export function databaseBelow(root: string): string {
  return `${root === "/" ? "" : root}/var/lib/dpkg`;
}

/** What keeps dpkg itself below the root. */
export function dpkgBelow(root: string): readonly string[] {
  return root === "/" ? [] : [`--root=${root}`, `--log=${root}/var/log/dpkg.log`, "--path-include=/*"];
}

/**
 * apt reads the file that APT_CONFIG names before all others. It turns every path to the root and leaves out the
 * configuration of both: hooks in the root's own would run here, on the machine. Dpkg chroots for package scripts by itself.
 * One thing cannot be turned: dpkg always reads the machine's /etc/dpkg/dpkg.cfg, so what containers put there is undone.
 */
export function rootConfig(root: string): string {
  if (unwritable.test(root)) {
    throw new Fault("usage", {
      message: `apt cannot work below ${JSON.stringify(root)}: a quote, a backslash or a control character is in its name`,
      hint: "rename that directory",
    });
  }
  return `Dir "${root}/";
Dir::State::status "${root}/var/lib/dpkg/status";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::Log::Terminal "/dev/null";
DPkg::Options { ${dpkgBelow(root)
    .map((option) => `"${option}";`)
    .join(" ")} };
APT::Sandbox::User "root";
`;
}
