import { path } from "../../rules/settings/read-text.ts";
import { accepted, refusedAs } from "../../rules/shape/reading.ts";
import { allowing, listOf, maybe, record, refined, type Shape } from "../../rules/shape/shape.ts";
import type { KeyPairFiles } from "./configuration.ts";

const fileRule = "an absolute path of a file in PEM form";
const file = maybe(path(fileRule));

const keyPair: Shape<KeyPairFiles> = refined(
  allowing("a mapping of key_file and cert_file", record({ key_file: file, cert_file: file })),
  ({ key_file: keyFile, cert_file: certFile }) => {
    if (keyFile !== undefined && certFile !== undefined) return accepted({ keyFile, certFile });
    const lacking = keyFile === undefined ? ".key_file" : ".cert_file";
    return refusedAs([{ at: lacking, found: "nothing", allowed: `${fileRule}: a key and its certificate go together` }]);
  },
);

/** Far more than a proxy has names. */
const mostPairs = 1000;

/** Clients that name no host, or a host without a certificate, get the first. */
export const keyPairs: Shape<readonly KeyPairFiles[]> = allowing("a list of {key_file, cert_file}", listOf(keyPair, mostPairs));
