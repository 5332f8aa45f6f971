import type { DescribedCommand } from "./commands.ts";
import type { Page } from "./man/page.ts";
import type { ProgramName } from "./project.ts";
import type { Answer } from "./schemas/answer.ts";
import type { PackageScripts } from "./scripts.ts";
import type { TreeFile } from "./tree.ts";

/** One name of an executable, with its commands. Completions, schemas and a manual page belong to each name. */
export type Called = {
  readonly program: string;
  /** Users' commands, in the order of the help. */
  readonly commands: readonly DescribedCommand[];
  readonly page: Page;
  /** Its JSON answers, by name. */
  readonly answers: Readonly<Record<string, Answer>>;
};

/** A package: one executable and everything that belongs to it. */
export type Product = Called & {
  readonly packageName: string;
  readonly program: ProgramName;
  /** The executable's other names, which are links to it. */
  readonly alsoCalled: readonly Called[];
  readonly summary: string;
  readonly description: readonly string[];
  /** Files that systemd reads below /usr/lib, each stored in systemd/ under its last name. */
  readonly units: readonly `${"systemd/system" | "systemd/system-preset" | "sysusers.d"}/${string}`[];
  /** The file in deb/needrestart about its units. Other distributions have no needrestart. */
  readonly needrestart: string;
  /** Its documents besides the manual page, by path in the project. */
  readonly documents: readonly `${string}.md`[];
  /** Names of files in deb/: scripts that try the program on Debian and its derivatives. */
  readonly examples: readonly string[];
  readonly folders: readonly Extract<TreeFile, { folder: unknown }>[];
  readonly scripts: PackageScripts;
  /** The lintian overrides for its maintainer scripts. They follow those of every package of this project. */
  readonly lintianOverrides: string;
};

/** All names of its executable, the file's own first. */
export function namesOf(product: Product): readonly Called[] {
  return [product, ...product.alsoCalled];
}
