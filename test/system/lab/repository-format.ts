import type { Host } from "./host.ts";
import type { Keyring } from "./keyring.ts";

/**
 * "good"; "missing": no signature at all; "unknown-key": by a key that no host trusts; "altered": the signed text was changed
 * afterwards.
 */
export type Signature = "good" | "missing" | "unknown-key" | "altered";

/** A package's own: one that is altered is refused for its bytes already. */
export type PackageSignature = Exclude<Signature, "altered">;

/** How a host is told of a repository. */
export type Introduction = {
  readonly name: string;
  readonly url: string;
  readonly keyring: Keyring;
  readonly sourcesFile: string;
  readonly priority: number | undefined;
};

/** What differs between the repositories of the families; the rest is repository.ts. */
export type RepositoryFormat = {
  /** The folder of the packages, below the tree. */
  readonly packages: string;
  readonly fileStart: (name: string, version: string) => string;
  /** A package that has just been put there. */
  readonly admit: (keyring: Keyring, added: { readonly file: string; readonly signature: PackageSignature }) => Promise<void>;
  /** Writes the tree's index again, and signs it. */
  readonly index: (tree: string, keyring: Keyring, signature: Signature) => Promise<void>;
  readonly sourcesFile: (name: string) => string;
  readonly introduce: (host: Host, introduction: Introduction) => Promise<void>;
};
