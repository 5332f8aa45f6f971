import type { FaultCode } from "../../../src/rules/fault/table.ts";
import type { Host } from "../lab/host.ts";
import type { Repository } from "../lab/repository.ts";
import type { Stage } from "../lab/scenario.ts";

/** What a family's pass comes to where families differ in how they find out. */
export type Told = { readonly step: string; readonly code: FaultCode; readonly status: number };

/** What scenarios of all families need to know, or to have done, of the one that a host is of. */
export type Manners = {
  /** Package versions that wrap one version, as packagers of the family number them. */
  readonly wraps: (version: string) => {
    readonly release: string;
    /** The manager takes this one before `release`. */
    readonly later: string;
    readonly epoch: string;
    readonly suffix: string;
  };
  /** Offers that package, so that the manager takes it before all others. */
  readonly prefer: (stage: Stage, offer: { readonly file: string; readonly packageVersion: string }) => Promise<void>;
  /** Takes back what `prefer` did. */
  readonly unprefer: (host: Host) => Promise<void>;
  /** Puts a package file in the place of whatever version is there. */
  readonly putBack: (file: string) => readonly string[];
  /** A source that never answered. */
  readonly deadSource: { readonly path: string; readonly text: string };
  /** What an admin's refresh of everything ends with beside such a source. */
  readonly refreshByHand: { readonly argv: readonly string[]; readonly status: number };
  /** A repository whose lists are not signed as they should be. */
  readonly untrustedLists: Told;
  /** Has the signatures of packages themselves checked, where they have some. */
  readonly checkPackages: (host: Host, repository: Repository) => Promise<void>;
  /** As the refusal of a plan says it that would remove the package "companion". */
  readonly wouldRemove: string;
  /** Where a pass meets the manager's lock. */
  readonly busyAt: string;
  /** What the manager says of its holds, with the agent at that package version. */
  readonly heldAt: (packageVersion: string) => RegExp;
  readonly unhold: (host: Host) => Promise<void>;
  /** A package script that ends with a failure, as the fault tells it. */
  readonly failedScript: RegExp;
  /** How the packager's new version of an edited file lies beside it. */
  readonly newConffile: string;
  /** Something that the manager says in the host's own language. */
  readonly german: { readonly argv: readonly string[]; readonly says: string };
  /** The admin's own way to name a proxy to the manager. */
  readonly ownProxy: (host: Host, url: string) => Promise<void>;
  /** What a refresh of a repository asks for. */
  readonly lists: string;
};
