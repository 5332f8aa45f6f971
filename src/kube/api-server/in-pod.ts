import { readText } from "../../machine/files/read-file.ts";
import { printHostPort } from "../../rules/route/host-port.ts";
import type { InPod } from "../objects/fields.ts";

/** Where a pod finds its service account's files. */
const mount = "/var/run/secrets/kubernetes.io/serviceaccount";
const longestNamespaceBytes = 256;

/** The facts that a pod knows about itself; empty outside a pod. */
export function seePod(environment: Readonly<Record<string, string | undefined>>): InPod {
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port } = environment;
  if (host === "") return { namespace: undefined, apiServer: undefined };
  return {
    namespace: readText(`${mount}/namespace`, { capBytes: longestNamespaceBytes, links: "follow" })?.trim(),
    apiServer: {
      url: `https://${printHostPort({ host, port: Number(port ?? 443) })}`,
      caFile: `${mount}/ca.crt`,
      tokenFile: `${mount}/token`,
    },
  };
}
