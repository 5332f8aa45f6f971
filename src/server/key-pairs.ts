import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { readFileCapped } from "../host/read-file.ts";
import type { KeyPairFiles } from "../server-rules/configuration.ts";
import type { RefusedSetting } from "../settings/reading.ts";

export type KeyPair = { readonly key: string; readonly cert: string; readonly certificate: X509Certificate };

export type ReadKeyPairs = {
  readonly pairs: readonly KeyPair[];
  readonly refusals: readonly RefusedSetting[];
  readonly remarks: readonly string[];
};

/** Chains of certificates with everything in them are a tenth of this. */
const longestPemBytes = 256 * 1024;
const dayMs = 86_400_000;
/** Half of what renewals by the usual programs leave. */
const soonDays = 14;

/** Reads every pair and proves that each key belongs to its certificate, and that the certificate is in force. */
export function readKeyPairs(files: readonly KeyPairFiles[], nowMs: number): ReadKeyPairs {
  const refusals: RefusedSetting[] = [];
  const remarks: string[] = [];
  const pairs = files.flatMap(({ keyFile, certFile }, index): readonly KeyPair[] => {
    const at = `proxy_service.https_keypairs[${index}]`;
    const refuse = (field: string, path: string, found: string): undefined => {
      const allowed =
        field === "key_file" ? "a private key in PEM form without a passphrase" : "a certificate in PEM form, its chain after it";
      refusals.push({ at: `${at}.${field}`, found: `${path} ${found}`, allowed });
    };
    const key = readPem(keyFile, (why) => refuse("key_file", keyFile, why));
    const cert = readPem(certFile, (why) => refuse("cert_file", certFile, why));
    const privateKey =
      key === undefined ? undefined : (parsed(() => createPrivateKey(key)) ?? refuse("key_file", keyFile, "holds no such key"));
    const certificate =
      cert === undefined
        ? undefined
        : (parsed(() => new X509Certificate(cert)) ?? refuse("cert_file", certFile, "holds no certificate"));
    if (key === undefined || cert === undefined || privateKey === undefined || certificate === undefined) return [];
    const wrong = wrongWith(certificate, privateKey, nowMs);
    if (wrong !== undefined) refuse("cert_file", certFile, wrong);
    if (certificate.validToDate.getTime() - nowMs < soonDays * dayMs) {
      remarks.push(`the certificate in ${certFile} ends on ${certificate.validToDate.toISOString()}`);
    }
    return [{ key, cert, certificate }];
  });
  return { pairs, refusals, remarks };
}

function wrongWith(certificate: X509Certificate, key: KeyObject, nowMs: number): string | undefined {
  if (!certificate.checkPrivateKey(key)) return "does not belong to the key in key_file";
  if (certificate.validToDate.getTime() <= nowMs) return `expired on ${certificate.validToDate.toISOString()}`;
  if (certificate.validFromDate.getTime() > nowMs) return `begins only on ${certificate.validFromDate.toISOString()}`;
  return undefined;
}

function readPem(path: string, refuse: (why: string) => void): string | undefined {
  const read = readFileCapped(path, { capBytes: longestPemBytes, links: "follow" });
  switch (read.kind) {
    case "read":
      return read.text;
    case "missing":
      refuse("does not exist");
      return undefined;
    case "denied":
      refuse("may not be read by this user");
      return undefined;
    case "refused":
      refuse(`cannot be read: ${read.why}`);
      return undefined;
  }
}

function parsed<Thing>(parse: () => Thing): Thing | undefined {
  try {
    return parse();
  } catch {
    // OpenSSL's words (`error:1E08010C:DECODER routines::unsupported`) help nobody; the caller has better ones.
    return undefined;
  }
}
