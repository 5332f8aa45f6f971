import { authFields, forwardingFields, proxyFields } from "../src/proxy/server-rules/fields.ts";
import { channelFields } from "../src/proxy/server-rules/read-channels.ts";
import { allowedFor } from "../src/rules/shape/allowed.ts";
import type { Keys } from "../src/rules/shape/shape.ts";

export type ServerSetting = {
  readonly keys: readonly string[];
  readonly allowed: string;
  readonly default: string;
  readonly meaning: string;
};

type Telling = readonly [keys: string, standard: string, meaning: string];

const ofChannels = "automatic_upgrades_channels.NAME";
const ofForwarding = "automatic_upgrades_forwarding";

/** svc-proxy's part of a cluster's configuration, below proxy_service, in the order in which people set it up. */
const told: readonly (readonly [fields: Keys, prefix: string, tellings: readonly Telling[]])[] = [
  [
    proxyFields,
    "",
    [
      [
        "public_addr",
        "`web_listen_addr`, where that is one address",
        "where clients reach the cluster; exactly one. Without a port 443, in separate mode the port of `web_listen_addr`",
      ],
      ["web_listen_addr", "`0.0.0.0:3080`", "where to listen"],
      ["diag_addr", "`127.0.0.1:3081`", "where health and metrics are told, without TLS"],
      [
        "https_keypairs",
        "none",
        "private keys and certificates; without any it speaks plain http, for something before it that speaks TLS",
      ],
      ["version", "svc-proxy's own", "the cluster's version, which the channel `default` serves unless it is configured itself"],
    ],
  ],
  [
    channelFields,
    `${ofChannels}.`,
    [
      ["static_version", "–", "the channel serves this version"],
      ["critical", "`no`", "beside `static_version`: hosts are to upgrade outside of their windows"],
      ["forward_url", "–", "in place of `static_version`: the channel serves what this upstream serves"],
    ],
  ],
  [
    forwardingFields,
    `${ofForwarding}.`,
    [
      ["ca_file", "none", "certificates that upstreams are trusted by, beside the host's"],
      ["allow_plain_http", "`false`", "whether upstreams on other hosts may be asked without TLS"],
    ],
  ],
  [
    proxyFields,
    "",
    [
      ["enabled", "`yes`", "as the cluster has it; with `no` svc-proxy does not start"],
      [
        "listen_addr tunnel_listen_addr kube_listen_addr mysql_listen_addr",
        "the platform's ports",
        "the addresses of other services, which the ping tells",
      ],
      [
        "ssh_public_addr tunnel_public_addr kube_public_addr mysql_public_addr postgres_public_addr",
        "`public_addr` with the platform's ports",
        "and how clients reach these",
      ],
    ],
  ],
];

export const serverSettings: readonly ServerSetting[] = [
  ...told.flatMap(([fields, prefix, tellings]) =>
    tellings.map(([names, standard, meaning]): ServerSetting => {
      const keys = names.split(" ");
      const allowed = new Set(keys.map((key) => allowedAt(fields, key)));
      if (allowed.size !== 1) throw new Error(`${names} do not allow the same`);
      return { keys: keys.map((key) => `${prefix}${key}`), allowed: [...allowed].join(""), default: standard, meaning };
    }),
  ),
  {
    keys: ["auth_service.proxy_listener_mode"],
    allowed: allowedFor(authFields.proxy_listener_mode),
    default: "`multiplex`",
    meaning: "not below proxy_service: one port serves everything, or each service has its own; the ping tells it",
  },
];

/** Keys without a row, because they only contain or refer to other keys. */
export const withoutRow: readonly string[] = [
  "https_key_file",
  "https_cert_file",
  "automatic_upgrades_channels",
  "automatic_upgrades_forwarding",
];

function allowedAt(fields: Keys, key: string): string {
  const field = fields[key];
  if (field === undefined) throw new Error(`${key} is no setting`);
  return allowedFor(field);
}
