import type { DescribedCommand } from "./commands.ts";
import type { Page } from "./man/page.ts";
import type { ProgramName } from "./project.ts";
import type { Answer } from "./schemas/answer.ts";
import type { PackageScripts } from "./scripts.ts";
import type { TreeFile } from "./tree.ts";

/** A name that people call an executable by, and what they then have before them; completions, schemas and manual page are named after it. */
export type Called = {
  readonly program: string;
  /** What people type, in the order of the help. */
  readonly commands: readonly DescribedCommand[];
  readonly page: Page;
  /** What it answers as JSON, by name. */
  readonly answers: Readonly<Record<string, Answer>>;
};

/** What is shipped as a package of its own: one executable, and all that belongs to it. */
export type Product = Called & {
  readonly packageName: string;
  /** The executable. */
  readonly program: ProgramName;
  /** The other names of the executable, which are links to it. */
  readonly alsoCalled: readonly Called[];
  readonly summary: string;
  readonly description: readonly string[];
  /** What systemd reads below /usr/lib; it lies in systemd/ by its last name. */
  readonly units: readonly `${"systemd/system" | "systemd/system-preset" | "sysusers.d"}/${string}`[];
  /** What needrestart is told of its units, by the name of a file in deb/needrestart. Other distributions have no needrestart. */
  readonly needrestart: string;
  /** What people read about it besides the manual page, by its path in the project. */
  readonly documents: readonly `${string}.md`[];
  /** Scripts to try the program with, on Debian and what derives from it, by the names of files in deb/. */
  readonly examples: readonly string[];
  readonly folders: readonly Extract<TreeFile, { folder: unknown }>[];
  readonly scripts: PackageScripts;
  /** What its maintainer scripts are excused from, after what every package of this project is. */
  readonly lintianOverrides: string;
};

/** All names of its executable, the file's own first. */
export function namesOf(product: Product): readonly Called[] {
  return [product, ...product.alsoCalled];
}
