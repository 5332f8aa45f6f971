import type { Configuration } from "../../proxy/server-rules/configuration.ts";
import type { Address, HostPort } from "../../rules/route/host-port.ts";
import type { JoinConfiguration } from "./join-section.ts";
import type { StorageConfiguration } from "./storage-section.ts";
import type { SshConfiguration } from "./ssh-section.ts";
import type { KubeConfiguration } from "./kube-section.ts";

/** The checked services of /etc/svc.yaml. Nobody behind this type checks them again. */
export type Services = {
  /** The directory below which the services keep all their files. */
  readonly dataDirectory: string;
  /** The root of this host's updater, as in `svc-upgrade --root`. */
  readonly updaterRoot: string;
  /** This host's name in its cluster; undefined for its own hostname. */
  readonly nodename: string | undefined;
  /** The host's own labels. Lists show them as host/NAME. */
  readonly labels: Readonly<Record<string, string>>;
  /** How the host joins by itself; undefined if somebody types `svc join`. */
  readonly join: JoinConfiguration | undefined;
  /** Set only if this host is a pod whose updater is svc-kube-updater. */
  readonly kube: KubeConfiguration | undefined;
  readonly auth: AuthConfiguration | undefined;
  readonly proxy: Configuration | undefined;
  /** Undefined if nobody reaches this host's sshd through the cluster. */
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
  /** Addresses where others reach auth. Hosts that join get them. */
  readonly publicAddresses: readonly Address[];
  readonly diagnostics: HostPort;
  /** The second factor beside people's passwords. */
  readonly secondFactor: SecondFactor;
  readonly times: AuthTimes;
  /** Undefined if the store is a file below the data directory. */
  readonly storage: StorageConfiguration | undefined;
};

/** `otp` is a one-time code (RFC 6238). */
export const secondFactors = ["otp", "off"] as const;
export type SecondFactor = (typeof secondFactors)[number];

/** Auth's times in seconds. Tests use shorter ones. */
export type AuthTimes = {
  readonly certificateSeconds: number;
  readonly auditSeconds: number;
  /** The longest time between an instance's reports. */
  readonly reportSeconds: number;
  /** How long a proxy tells hosts a new version without an answer of auth. */
  readonly answerLifeSeconds: number;
};
