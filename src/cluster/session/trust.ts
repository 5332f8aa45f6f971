import { ClusterFault } from "../../rules/fault/cluster-fault.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { checkIdentity } from "../../machine/network/identity.ts";
import { loadTrust, type Trust } from "../../machine/network/trust.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { quote } from "../../rules/fault/quote.ts";

const mostCaFileBytes = 1024 * 1024;

/** The system's authorities, and those of `--ca-file`. There is no way to go on without them. */
export function trustFor(caFile: string | undefined): Trust {
  return process.platform === "linux" ? onLinux(caFile) : elsewhere(caFile);
}

function onLinux(caFile: string | undefined): Trust {
  try {
    return loadTrust(caFile);
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "ca-file-unusable") throw thrown;
    // Its hints are about the setting of the updater.
    throw caFileUnusable(thrown.message.replace(/^ca_file /, "--ca-file "), thrown);
  }
}

/** Where the bundle lies in no file the runtime knows how to ask for it. */
function elsewhere(caFile: string | undefined): Trust {
  const { createSecureContext, getCACertificates } = process.getBuiltinModule("node:tls");
  const own = caFile === undefined ? [] : [readCaFile(caFile)];
  const context = createSecureContext({ ca: [...getCACertificates("system"), ...own], minVersion: "TLSv1.2" });
  return {
    connection: { secureContext: context, rejectUnauthorized: true, checkServerIdentity: checkIdentity },
    stores: ["the system's store", ...(caFile === undefined ? [] : [caFile])],
  };
}

function readCaFile(path: string): string {
  const reading = readFileCapped(path, { capBytes: mostCaFileBytes, links: "follow" });
  if (reading.kind === "read" && reading.text.includes("-----BEGIN CERTIFICATE-----")) return reading.text;
  throw caFileUnusable(`${quote(path, 200)} holds no certificate in PEM form, or cannot be read`, undefined);
}

function caFileUnusable(message: string, cause: unknown): ClusterFault {
  return new ClusterFault("certificate-refused", {
    message,
    hint: "name a file with the authority's certificate in PEM form: `tsh login --ca-file FILE`",
    cause,
  });
}
