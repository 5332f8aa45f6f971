import { createHmac } from "node:crypto";
import { parseHostId, type HostId } from "../../rules/channel/asking-host.ts";
import { belowRoot } from "./paths.ts";
import { readText } from "./read-file.ts";

/** Also refuses `uninitialized`, which stands there before the first boot has ended. */
const machineIdPattern = /^[0-9a-f]{32}$/;

/** A host's name for channels. It is made from the machine id, but does not show it. Undefined for a host without one. */
export function hostIdBelow(root: string): HostId | undefined {
  const machineId = readText(belowRoot(root, "/etc/machine-id"), { capBytes: 1024, links: "follow" })?.trim() ?? "";
  return machineIdPattern.test(machineId) ? hostIdOf("svc-upgrade host", machineId) : undefined;
}

type ObjectPlace = { readonly namespace: string; readonly kind: string; readonly name: string };

/** A name for an object of Kubernetes, which counts as one host. An object that was made again is another host. */
export function objectId({ namespace, kind, name }: ObjectPlace, uid: string): HostId | undefined {
  return hostIdOf(`svc-kube-updater ${namespace}/${kind}/${name}`, uid);
}

function hostIdOf(whose: string, key: string): HostId | undefined {
  return parseHostId(createHmac("sha256", key).update(whose).digest("hex").slice(0, 32));
}
