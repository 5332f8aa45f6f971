import { mkdir } from "node:fs/promises";
import { mustRun } from "./program.ts";

/** "trusted" is the one that hosts know. */
export type Signer = "trusted" | "unknown";

/** The signing keys of one repository, in a directory of their own. */
export type Keyring = {
  readonly directory: string;
  /** Writes the public key of "trusted". */
  readonly exportTo: (file: string, form: "binary" | "armored") => Promise<void>;
  readonly clearsign: (file: string, signed: string, by: Signer) => Promise<void>;
  readonly signDetached: (file: string, signature: string, by: Signer) => Promise<void>;
  /** Into the package itself. */
  readonly signRpm: (file: string, by: Signer) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function makeKeyring(directory: string): Promise<Keyring> {
  await mkdir(directory, { mode: 0o700 });
  const gpg = async (...argv: readonly string[]): Promise<void> => {
    await mustRun(["gpg", "--homedir", directory, "--batch", "--yes", "--quiet", "--pinentry-mode", "loopback", ...argv]);
  };
  for (const signer of ["trusted", "unknown"] as const) {
    await gpg("--passphrase", "", "--quick-generate-key", address(signer), "ed25519", "sign", "never");
  }
  return {
    directory,
    exportTo: (file, form) => gpg(...(form === "armored" ? ["--armor"] : []), "--output", file, "--export", address("trusted")),
    clearsign: (file, signed, by) => gpg("--local-user", address(by), "--output", signed, "--clearsign", file),
    signDetached: (file, signature, by) =>
      gpg("--local-user", address(by), "--armor", "--output", signature, "--detach-sign", file),
    signRpm: async (file, by) => {
      // Debian's rpmsign looks for a gpg that it was not built with.
      const defined = ["__gpg /usr/bin/gpg", `_gpg_path ${directory}`, `_gpg_name ${address(by)}`];
      await mustRun(["rpmsign", ...defined.flatMap((definition) => ["--define", definition]), "--addsign", file]);
    },
    close: async () => void (await mustRun(["gpgconf", "--homedir", directory, "--kill", "gpg-agent"])),
  };
}

function address(signer: Signer): string {
  return `${signer}@outer.test`;
}
