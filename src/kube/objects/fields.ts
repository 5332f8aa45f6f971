import { readEndpoint } from "../../rules/settings/endpoint.ts";
import { path } from "../../rules/settings/read-text.ts";
import { accepted, refused } from "../../rules/shape/reading.ts";
import { allowing, matching, oneOf, own, record, refined, type Shape } from "../../rules/shape/shape.ts";
import type { ObjectKind } from "./seen.ts";

/** Where the API server is, and the credentials for it. */
export type ApiServerSettings = { readonly url: string; readonly caFile: string; readonly tokenFile: string };

/** The pod's own facts. */
export type InPod = { readonly namespace: string | undefined; readonly apiServer: ApiServerSettings | undefined };

export const label: Shape<string> = matching(
  /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/,
  "a name of lower case letters, digits and hyphens, at most 63",
);
/** The record's name is longer than the object's. */
export const subdomain: Shape<string> = matching(
  /^(?=.{1,230}$)[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/,
  "a name of lower case letters, digits, hyphens and dots",
);
export const labelValue: Shape<string> = matching(
  /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
  "the value of a label: letters, digits, hyphens, underscores and dots, at most 63",
);
export const objectKind: Shape<ObjectKind> = oneOf(["StatefulSet", "Deployment"]);

const file = path("an absolute path of a file");
const httpsUrl: Shape<string> = own((raw) => {
  const reading = readEndpoint(raw);
  return reading.kind === "value" && !reading.value.startsWith("https:") ? refused(raw) : reading;
}, "an https URL, for example https://kubernetes.default.svc");

export const apiServerKeys: Shape<ApiServerSettings> = refined(
  allowing("a mapping of url, ca_file and token_file", record({ url: httpsUrl, ca_file: file, token_file: file })),
  ({ url, ca_file: caFile, token_file: tokenFile }) => accepted({ url, caFile, tokenFile }),
);

/** For settings that do not say where the API server is, outside a pod. */
export const outsideOfPod = "a mapping of url, ca_file and token_file: this is no pod, which would say them";
