import { listenAddress, yesOrNo } from "../../proxy/server-rules/read-values.ts";
import { withPort, type HostPort } from "../../rules/route/host-port.ts";
import { readLevel } from "../../rules/shape/check.ts";
import type { Mapping, Refusal } from "../../rules/shape/reading.ts";

/** The section `ssh_service`: people reach this host's own sshd through a tunnel to the cluster's proxies. */
export type SshConfiguration = { readonly sshd: HostPort };

export type SshSection = {
  /** Undefined if the section is not enabled or is invalid. */
  readonly configuration: SshConfiguration | undefined;
  readonly refusals: readonly Refusal[];
  readonly remarks: readonly string[];
};

const fields = { enabled: yesOrNo, sshd_addr: listenAddress };
/** Keys of the platform that have no effect here. */
const others: readonly string[] = [
  "listen_addr",
  "public_addr",
  "labels",
  "commands",
  "pam",
  "enhanced_recording",
  "permit_user_env",
];

export function readSshSection(raw: Mapping | undefined): SshSection {
  if (raw === undefined) return { configuration: undefined, refusals: [], remarks: [] };
  const { values, refusals, passedOver } = readLevel(raw, fields, { kind: "others", known: others });
  const isOn = values.enabled === "yes" && refusals.length === 0;
  return {
    configuration: isOn ? { sshd: withPort(values.sshd_addr ?? { host: "127.0.0.1", port: undefined }, 22) } : undefined,
    refusals: refusals.map((refusal) => ({ ...refusal, at: `ssh_service${refusal.at}` })),
    remarks: passedOver.map((key) => `ssh_service.${key} has no effect here, and is passed over`),
  };
}
