import type { X509Certificate } from "node:crypto";
import { closeSync, constants, openSync, readFileSync, statSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { errnoOf } from "../files/errno.ts";
import { reach, tellBarred, wayFree } from "../files/foreign-file.ts";
import { copyToCaPlace, isClosedToUnit, openToAll } from "./ca-place.ts";

/** Four times the size of all public authorities together. */
const longestCaFileBytes = 1024 * 1024;

/** Reads the certificates of `ca_file` and checks that they can be used. */
export function readCaFile(path: string): Buffer {
  const pem = read(path);
  if (pem.toString("latin1").trim() === "") throw unusable(path, { why: "is empty", hint: putCertificateInto(path) });
  const certificates = certificatesIn(path, pem);
  const now = Date.now();
  const expired = certificates.filter((certificate) => certificate.validToDate.getTime() <= now);
  const [first] = expired;
  if (first !== undefined && expired.length === certificates.length) {
    const whose = quote(first.subject, longestSubject);
    throw unusable(path, {
      why: `holds no certificate that is still valid: ${whose} expired on ${first.validToDate.toISOString()}`,
      hint: `put the authority's renewed certificate into ${path}, or set this host's clock right if it is wrong`,
    });
  }
  return pem;
}

const longestSubject = 120;

function read(path: string): Buffer {
  // Looks with care, because the agent's user may have put the file there.
  const reached = reach(path, "follow", (place) => ({ kind: "read", pem: readPlace(path, place) }) as const);
  switch (reached.kind) {
    case "read":
      return reached.pem;
    case "missing":
      throw missing(path);
    case "denied":
      throw denied(path);
    case "refused":
      throw unusable(path, { why: `cannot be used: ${reached.why}`, hint: `look at it with \`ls -l ${path}\`` });
    case "barred":
      throw unusable(path, { why: `cannot be used: ${tellBarred(reached)}`, hint: `take it away: \`${wayFree(reached)}\`` });
  }
}

function readPlace(path: string, place: string): Buffer {
  const status = statSync(place);
  if (!status.isFile()) throw unusable(path, { why: "is not a regular file", hint: putCertificateInto(path) });
  if (status.size > longestCaFileBytes) {
    throw unusable(path, { why: `is larger than ${longestCaFileBytes} bytes`, hint: putCertificateInto(path) });
  }
  try {
    return readAtOnce(place);
  } catch (cause) {
    const code = errnoOf(cause);
    if (code === "EACCES" || code === "EPERM") throw denied(path, cause);
    throw unusable(path, { why: `cannot be read (${String(code)})`, hint: `look at it with \`ls -l ${path}\``, cause });
  }
}

/** Opens the file without waiting for a process that holds a lease on it. */
function readAtOnce(place: string): Buffer {
  const file = openSync(place, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function missing(path: string): Fault {
  return unusable(path, { why: "does not exist", hint: `${putCertificateInto(path)}, or correct the setting ca_file` });
}

function denied(path: string, cause?: unknown): Fault {
  const open = isClosedToUnit(path) ? copyToCaPlace(path) : openToAll(path);
  const hint = `the network half runs without privileges: \`${open}\``;
  return unusable(path, { why: "may not be read by the user that asks", hint, cause });
}

function certificatesIn(path: string, pem: Buffer): readonly X509Certificate[] {
  const text = pem.toString("latin1");
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) {
    const why = text.includes("PRIVATE KEY-----") ? "holds a private key and no certificate" : "holds no certificate in PEM form";
    const hint = `a certificate in PEM form begins with -----BEGIN CERTIFICATE-----; DER is turned into it by \`openssl x509 -inform der -in ${path}\``;
    throw unusable(path, { why, hint });
  }
  const { X509Certificate: Certificate } = process.getBuiltinModule("node:crypto");
  return blocks.map((block, index) => {
    try {
      return new Certificate(block);
    } catch (cause) {
      const hint = `look at it with \`openssl x509 -noout -text -in ${path}\``;
      throw unusable(path, { why: `holds an invalid certificate in place ${index + 1}`, hint, cause });
    }
  });
}

function putCertificateInto(path: string): string {
  return `put the certificate of the authority that signed the server's into ${path}, in PEM form`;
}

function unusable(path: string, told: { readonly why: string; readonly hint: string; readonly cause?: unknown }): Fault {
  return new Fault("ca-file-unusable", { message: `ca_file ${path} ${told.why}`, hint: told.hint, cause: told.cause });
}
