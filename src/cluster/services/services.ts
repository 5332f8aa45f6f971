import type { Configuration } from "../../proxy/server-rules/configuration.ts";
import type { Address, HostPort } from "../../rules/route/host-port.ts";
import type { JoinConfiguration } from "./join-section.ts";
import type { KubeConfiguration } from "./kube-section.ts";

/** What /etc/svc.yaml enables, after every check: nothing behind this type asks again. */
export type Services = {
  /** Whatever the services keep lies below it. */
  readonly dataDirectory: string;
  /** Below which the files of this host's updater lie, as `svc-upgrade --root` has it. */
  readonly updaterRoot: string;
  /** How this host is called in its cluster; undefined: as it calls itself. */
  readonly nodename: string | undefined;
  /** Undefined: somebody types `svc join`. */
  readonly join: JoinConfiguration | undefined;
  /** Undefined: this host is no pod whose updater is svc-kube-updater. */
  readonly kube: KubeConfiguration | undefined;
  readonly auth: AuthConfiguration | undefined;
  readonly proxy: Configuration | undefined;
};

/** What this host is in its cluster. */
export function kindOf({ proxy }: Pick<Services, "proxy">): "node" | "proxy" {
  return proxy === undefined ? "node" : "proxy";
}

/** The section `auth_service`. */
export type AuthConfiguration = {
  readonly clusterName: string;
  readonly listen: HostPort;
  /** Where others reach it: told to who joins. */
  readonly publicAddresses: readonly Address[];
  readonly diagnostics: HostPort;
  /** What people sign in with, beside their passwords. */
  readonly secondFactor: SecondFactor;
  readonly times: AuthTimes;
};

/** `otp`: a one-time code (RFC 6238). */
export const secondFactors = ["otp", "off"] as const;
export type SecondFactor = (typeof secondFactors)[number];

/** In seconds; shorter ones are for tests. */
export type AuthTimes = {
  readonly certificateSeconds: number;
  readonly auditSeconds: number;
  /** An instance reports at least so often. */
  readonly reportSeconds: number;
};
