import { Fault } from "../../rules/fault/fault.ts";
import { checkIdentity } from "../../machine/network/identity.ts";
import { loadTrust, type Trust } from "../../machine/network/trust.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { quote } from "../../rules/text/quote.ts";

/** The command to name in hints, which takes `--ca-file`. A user with an invitation cannot sign in yet. */
export type Typed = "tsh login" | "tsh invite";

const mostCaFileBytes = 1024 * 1024;

/** The system's authorities, and those of `--ca-file`. Throws if both are empty. */
export function trustFor(caFile: string | undefined, typed: Typed): Trust {
  return process.platform === "linux" ? onLinux(caFile, typed) : elsewhere(caFile, typed);
}

function onLinux(caFile: string | undefined, typed: Typed): Trust {
  try {
    return loadTrust(caFile);
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "ca-file-unusable") throw thrown;
    // Replaces hints, which are about the updater's setting.
    throw caFileUnusable(thrown.message.replace(/^ca_file /, "--ca-file "), { typed, cause: thrown });
  }
}

/** Looks for authorities on a system where the runtime does not know the place of the bundle. */
function elsewhere(caFile: string | undefined, typed: Typed): Trust {
  const { createSecureContext, getCACertificates } = process.getBuiltinModule("node:tls");
  const own = caFile === undefined ? [] : [readCaFile(caFile, typed)];
  const context = createSecureContext({ ca: [...getCACertificates("system"), ...own], minVersion: "TLSv1.2" });
  return {
    connection: { secureContext: context, rejectUnauthorized: true, checkServerIdentity: checkIdentity },
    stores: ["the system's store", ...(caFile === undefined ? [] : [caFile])],
  };
}

function readCaFile(path: string, typed: Typed): string {
  const reading = readFileCapped(path, { capBytes: mostCaFileBytes, links: "follow" });
  if (reading.kind === "read" && reading.text.includes("-----BEGIN CERTIFICATE-----")) return reading.text;
  throw caFileUnusable(`${quote(path, 200)} holds no certificate in PEM form, or cannot be read`, { typed, cause: undefined });
}

type Unusable = { readonly typed: Typed; readonly cause: unknown };

function caFileUnusable(message: string, { typed, cause }: Unusable): Fault {
  return new Fault("certificate-refused", {
    message,
    hint: `name a file with the authority's certificate in PEM form: \`${typed} --ca-file FILE\``,
    cause,
  });
}
