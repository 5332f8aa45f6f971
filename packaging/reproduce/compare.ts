import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Compared = { readonly name: string } & (
  | { readonly kind: "same"; readonly sha256: string }
  | { readonly kind: "different"; readonly at: number; readonly sizes: readonly [number, number] }
  | { readonly kind: "missing"; readonly from: string }
);

type Built = { readonly folder: string };

/** Compares each file in dist/; folders there hold only intermediate files. */
export function compareBuilds(...builds: readonly [Built, Built]): readonly Compared[] {
  const folders = builds.map(({ folder }) => join(folder, "dist")) as [string, string];
  const [one, other] = folders.map(filesIn) as [readonly string[], readonly string[]];
  const names = [...new Set([...one, ...other])].toSorted();
  if (names.length === 0) throw new Error(`nothing was built in ${folders.join(" and ")}`);
  return names.map((name) => {
    const without = [one, other].findIndex((files) => !files.includes(name));
    return without === -1 ? compare(name, folders) : { name, kind: "missing", from: folders[without]! };
  });
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}

function compare(name: string, folders: readonly [string, string]): Compared {
  const [one, other] = folders.map((folder) => readFileSync(join(folder, name))) as [Buffer, Buffer];
  if (one.equals(other)) return { name, kind: "same", sha256: createHash("sha256").update(one).digest("hex") };
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return { name, kind: "different", at: at === -1 ? one.length : at, sizes: [one.length, other.length] };
}

export function print(compared: readonly Compared[]): string {
  return compared.map((each) => `${line(each)}\n`).join("");
}

function line(compared: Compared): string {
  switch (compared.kind) {
    case "same":
      return `same       ${compared.sha256}  ${compared.name}`;
    case "different":
      return `DIFFERENT  ${compared.name}: from byte ${compared.at} on, of ${compared.sizes.join(" and ")}`;
    case "missing":
      return `MISSING    ${compared.name} in ${compared.from}`;
  }
}
