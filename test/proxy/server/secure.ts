import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readKeyPairs, type KeyPair } from "../../../src/proxy/server/key-pairs.ts";
import type { LoadedConfiguration } from "../../../src/proxy/server/load.ts";
import type { Pair } from "../../machine/network/fixture/authority.ts";
import { loaded } from "./running.ts";

/** A configuration with certificates, as they are read from files. */
export async function secure(channels: string, ...pairs: readonly Pair[]): Promise<LoadedConfiguration> {
  const of = await loaded(channels);
  const keyPairs = pairs.map(() => ({ keyFile: "/key", certFile: "/cert" }));
  return { ...of, configuration: { ...of.configuration, keyPairs }, keyPairs: pairsOf(pairs) };
}

function pairsOf(pairs: readonly Pair[]): readonly KeyPair[] {
  const folder = mkdtempSync(join(tmpdir(), "svc-proxy-secure-"));
  try {
    const files = pairs.map(({ key, cert }, index) => {
      const [keyFile, certFile] = [join(folder, `${index}.key`), join(folder, `${index}.cert`)];
      writeFileSync(keyFile, key);
      writeFileSync(certFile, cert);
      return { keyFile, certFile };
    });
    const { pairs: read, refusals } = readKeyPairs(files, Date.now());
    if (refusals.length > 0) throw new Error(JSON.stringify(refusals));
    return read;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
