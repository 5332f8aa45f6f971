import { readdirSync, statSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoOf, errnoWords } from "../../machine/files/errno.ts";
import { readFileCapped, type FileRead } from "../../machine/files/read-file.ts";
import { readYaml } from "../../machine/yaml/read-yaml.ts";
import type { Fragment, Origin, SettingFault } from "../../rules/settings/settings.ts";

export type SettingsFiles = {
  /** The fragments in order: a later one beats an earlier one. */
  readonly fragments: readonly Fragment[];
  /** Files that are no YAML or cannot be read, for the list of all faults. */
  readonly faults: readonly SettingFault[];
  /** One fault that names every file which somebody other than the owner could have written. */
  readonly untrusted: Fault | undefined;
  /** Files that this user may not read. The caller decides whether it needed them. */
  readonly denied: readonly string[];
};

const capBytes: number = 64 * 1024;

/** Reads the fragments of all directories, sorted by name in each. `ownerUid` is root's, unless another root belongs to its user. */
export async function readSettingsFiles(directories: readonly string[], ownerUid: number): Promise<SettingsFiles> {
  const found = directories.flatMap((directory) => lookInto(directory, ownerUid));
  const untrusted = found.filter((item) => item.kind === "untrusted");
  const parsed = await Promise.all(found.flatMap((item) => (item.kind === "text" ? [parse(item)] : [])));
  return {
    fragments: parsed.flatMap((item) => ("values" in item ? [item] : [])),
    faults: [
      ...found.flatMap((item) => (item.kind === "fault" ? [item.fault] : [])),
      ...parsed.flatMap((item) => ("found" in item ? [item] : [])),
    ],
    untrusted: untrusted.length === 0 ? undefined : untrustedFault(untrusted, ownerUid),
    denied: found.flatMap((item) => (item.kind === "denied" ? [item.path] : [])),
  };
}

type Found =
  | { readonly kind: "text"; readonly path: string; readonly text: string }
  | { readonly kind: "fault"; readonly fault: SettingFault }
  | { readonly kind: "untrusted"; readonly path: string; readonly flaw: string }
  | { readonly kind: "denied"; readonly path: string };

function lookInto(directory: string, ownerUid: number): readonly Found[] {
  let names: readonly string[];
  let flaw: string | undefined;
  try {
    names = readdirSync(directory).filter((name) => /^[^.].*\.ya?ml$/.test(name));
    flaw = flawOf(statSync(directory), ownerUid);
  } catch (thrown) {
    return unlisted(directory, thrown);
  }
  // Does not check an empty directory, which sets nothing.
  if (flaw !== undefined && names.length > 0) return [{ kind: "untrusted", path: directory, flaw: `${directory} ${flaw}` }];
  return names
    .toSorted()
    .map((name) => (name.endsWith(".yml") ? misnamed(`${directory}/${name}`) : lookAt(`${directory}/${name}`, ownerUid)));
}

function unlisted(directory: string, thrown: unknown): readonly Found[] {
  switch (errnoOf(thrown)) {
    case "ENOENT":
      return [];
    case "EACCES":
    case "EPERM":
      return [{ kind: "denied", path: directory }];
    default:
      return [unusable(directory, errnoWords(thrown))];
  }
}

function lookAt(path: string, ownerUid: number): Found {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  switch (reading.kind) {
    case "missing":
      // The file was removed after the directory was listed.
      return unusable(path, "it is not there any more");
    case "denied":
      return { kind: "denied", path };
    case "refused":
      return unusable(path, reading.why);
    case "read": {
      const flaw = flawOf(reading, ownerUid);
      return flaw === undefined
        ? { kind: "text", path, text: reading.text }
        : { kind: "untrusted", path, flaw: `${path} ${flaw}` };
    }
  }
}

async function parse({ path, text }: { readonly path: string; readonly text: string }): Promise<Fragment | SettingFault> {
  const reading = await readYaml(text);
  if (reading.kind === "value") return { origin: originOf(path), values: reading.value };
  return { origin: originOf(path), key: "", found: reading.why, allowed: "a YAML file of settings" };
}

/** Why another user could have written the file. */
export function flawOf({ uid, mode }: Pick<FileRead, "uid" | "mode">, ownerUid: number): string | undefined {
  if (uid !== ownerUid) return `belongs to user ${uid}`;
  return (mode & 0o022) === 0 ? undefined : `can be written by others (mode ${(mode & 0o7777).toString(8)})`;
}

/** Reports a file with a wrong name, because its author believes that it counts. */
function misnamed(path: string): Found {
  return {
    kind: "fault",
    fault: { origin: originOf(path), key: "", found: "a file whose name ends in .yml", allowed: "a name that ends in .yaml" },
  };
}

function unusable(path: string, why: string): Found {
  return { kind: "fault", fault: { origin: originOf(path), key: "", found: why, allowed: "a regular file of at most 64 KiB" } };
}

function originOf(path: string): Origin {
  return { kind: "file", path };
}

function untrustedFault(files: readonly { readonly path: string; readonly flaw: string }[], ownerUid: number): Fault {
  const owner = ownerUid === 0 ? "root" : `user ${ownerUid}`;
  const paths = files.map(({ path }) => path).join(" ");
  const take = `look at what is in it, then: \`sudo chown ${ownerUid} ${paths} && sudo chmod go-w ${paths}\``;
  return new Fault("settings-untrusted", {
    message: `settings are read only from files that ${owner} alone can write: ${files.map(({ flaw }) => flaw).join("; ")}`,
    hint: ownerUid === 0 ? take : `run it as root, or as the owner; if you are to be that, ${take}`,
  });
}
