import {
  accepted,
  describe,
  isMapping,
  readEach,
  refused,
  refusedAs,
  type SettingReading,
} from "../../rules/settings/reading.ts";
import { readPath } from "../../rules/settings/read-text.ts";
import type { KeyPairFiles } from "./configuration.ts";
import { readLevel, type Field } from "./read-mapping.ts";

const rule = "a list of {key_file, cert_file}";

/** The first is shown to clients that name no host, or one that no certificate is for. */
export const keyPairs: Field<readonly KeyPairFiles[]> = {
  read: (raw) => (Array.isArray(raw) ? readEach(raw, readKeyPair) : refused(raw)),
  allowed: rule,
};

const file: Field<string> = { read: readPath, allowed: "an absolute path of a file in PEM form" };

function readKeyPair(raw: unknown): SettingReading<KeyPairFiles> {
  if (!isMapping(raw)) return refusedAs([{ at: "", found: describe(raw), allowed: "a mapping of key_file and cert_file" }]);
  const { values, refusals } = readLevel(raw, { key_file: file, cert_file: file }, { kind: "none" });
  const { key_file: keyFile, cert_file: certFile } = values;
  if (refusals.length > 0) return refusedAs(refusals);
  if (keyFile !== undefined && certFile !== undefined) return accepted({ keyFile, certFile });
  const lacking = keyFile === undefined ? ".key_file" : ".cert_file";
  return refusedAs([{ at: lacking, found: "nothing", allowed: `${file.allowed}: a key and its certificate go together` }]);
}
