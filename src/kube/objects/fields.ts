import { readEndpoint } from "../../rules/settings/endpoint.ts";
import { readFields, type Field } from "../../rules/settings/read-fields.ts";
import { readOneOf, readPath } from "../../rules/settings/read-text.ts";
import { accepted, refused } from "../../rules/settings/reading.ts";
import type { ObjectKind } from "./seen.ts";

/** Where the API server is, and what it is asked with. */
export type ApiServerSettings = { readonly url: string; readonly caFile: string; readonly tokenFile: string };

/** What a pod itself says. */
export type InPod = { readonly namespace: string | undefined; readonly apiServer: ApiServerSettings | undefined };

export const label: Field<string> = named(
  /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/,
  "a name of lower case letters, digits and hyphens, at most 63",
);
/** The name of the record is longer than the object's. */
export const subdomain: Field<string> = named(
  /^(?=.{1,230}$)[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/,
  "a name of lower case letters, digits, hyphens and dots",
);
export const labelValue: Field<string> = named(
  /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
  "the value of a label: letters, digits, hyphens, underscores and dots, at most 63",
);
export const objectKind: Field<ObjectKind> = {
  read: readOneOf(["StatefulSet", "Deployment"]),
  allowed: "StatefulSet or Deployment",
};

const path: Field<string> = { read: readPath, allowed: "an absolute path of a file" };
const httpsUrl: Field<string> = {
  read: (raw) => {
    const reading = readEndpoint(raw);
    return reading.kind === "value" && !reading.value.startsWith("https:") ? refused(raw) : reading;
  },
  allowed: "an https URL, for example https://kubernetes.default.svc",
};

type Keys = { readonly url: string; readonly ca_file: string; readonly token_file: string };

export const apiServerField: Field<ApiServerSettings> = {
  read: (raw) => {
    const reading = readFields<Keys>(raw, { url: httpsUrl, ca_file: path, token_file: path });
    if (reading.kind === "refused") return reading;
    const { url, ca_file: caFile, token_file: tokenFile } = reading.value;
    return accepted({ url, caFile, tokenFile });
  },
  allowed: "a mapping of url, ca_file and token_file",
};

/** Where neither the file nor a pod says where the API server is. */
export const outsideOfPod = "a mapping of url, ca_file and token_file: this is no pod, which would say them";

function named(pattern: RegExp, allowed: string): Field<string> {
  return { read: (raw) => (typeof raw === "string" && pattern.test(raw) ? accepted(raw) : refused(raw)), allowed };
}
