import type { Configuration } from "../../proxy/server-rules/configuration.ts";
import type { Address, HostPort } from "../../rules/route/host-port.ts";
import type { JoinConfiguration } from "./join-section.ts";
import type { StorageConfiguration } from "./storage-section.ts";
import type { SshConfiguration } from "./ssh-section.ts";
import type { KubeConfiguration } from "./kube-section.ts";

/** The checked services of /etc/svc.yaml: no code behind this type checks them again. */
export type Services = {
  /** The services keep all their files below it. */
  readonly dataDirectory: string;
  /** The root of this host's updater, as in `svc-upgrade --root`. */
  readonly updaterRoot: string;
  /** This host's name in its cluster; undefined for its own hostname. */
  readonly nodename: string | undefined;
  /** The host's own, which stand as host/NAME in lists. */
  readonly labels: Readonly<Record<string, string>>;
  /** Undefined: somebody types `svc join`. */
  readonly join: JoinConfiguration | undefined;
  /** Undefined unless this host is a pod whose updater is svc-kube-updater. */
  readonly kube: KubeConfiguration | undefined;
  readonly auth: AuthConfiguration | undefined;
  readonly proxy: Configuration | undefined;
  /** Undefined: nobody reaches this host's sshd through the cluster. */
  readonly ssh: SshConfiguration | undefined;
};

/** This host's kind in its cluster. */
export function kindOf({ proxy }: Pick<Services, "proxy">): "node" | "proxy" {
  return proxy === undefined ? "node" : "proxy";
}

/** The section `auth_service`. */
export type AuthConfiguration = {
  readonly clusterName: string;
  readonly listen: HostPort;
  /** The addresses at which others reach auth. New hosts are told them. */
  readonly publicAddresses: readonly Address[];
  readonly diagnostics: HostPort;
  /** The second factor beside people's passwords. */
  readonly secondFactor: SecondFactor;
  readonly times: AuthTimes;
  /** Undefined: the store is a file below the data directory. */
  readonly storage: StorageConfiguration | undefined;
};

/** `otp`: a one-time code (RFC 6238). */
export const secondFactors = ["otp", "off"] as const;
export type SecondFactor = (typeof secondFactors)[number];

/** In seconds; shorter ones are for tests. */
export type AuthTimes = {
  readonly certificateSeconds: number;
  readonly auditSeconds: number;
  /** The longest time between an instance's reports. */
  readonly reportSeconds: number;
  /** How long a proxy tells hosts a new version without an answer of auth. */
  readonly answerLifeSeconds: number;
};
