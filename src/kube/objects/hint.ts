import type { FaultCode } from "../../rules/fault/table.ts";

const proxies = "see HTTPS_PROXY, HTTP_PROXY and NO_PROXY of this pod";

/** Hints for a pod that cannot ask for the version. The faults' own hints name files and commands of a host. */
const hints: Partial<Readonly<Record<FaultCode, string>>> = {
  "answer-invalid": "see that `endpoint` is the cluster's, and no page to sign in stands before it",
  "redirect-refused":
    "have the redirect corrected if it leads in a circle or to plain http, else set `endpoint` to where the server really is",
  "channel-unknown": "set `channel` to one that the cluster has",
  "channel-refused": "ask the cluster's administrator why this address is refused",
  "tls-untrusted": "set `ca_file` to the certificate of the cluster's own authority",
  "settings-invalid": "set `endpoint` to an https URL, or `allow_plain_http: true` where nobody else is on the way",
  "trust-store-missing": "set `ca_file`: the image has no certificate store",
  "ca-file-unusable": "correct the file that `ca_file` names, and see that this pod's user may read it",
  "proxy-invalid": proxies,
  "proxy-refused": proxies,
  "proxy-unreachable": proxies,
};

export function hintFor(code: FaultCode): string {
  return hints[code] ?? "nothing; it is tried again by itself";
}
