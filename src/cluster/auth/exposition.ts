import { printMetrics, type MetricFamily, type Sample } from "../../rules/exposition/exposition.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Figures } from "./figures.ts";
import { rolloutFamilies, type RolloutFigures } from "./rollout-figures.ts";
import type { People } from "./people.ts";
import type { Meter } from "./meter.ts";

/** Auth's own figures, for metrics. */
export type Live = {
  readonly meter: Meter;
  readonly signIns: People["signIns"];
  readonly version: string;
  readonly clusterName: string;
  readonly connections: { readonly count: number };
  readonly ownUntil: UnixSeconds;
  /** When the first certificate authority expires. */
  readonly authorityUntil: UnixSeconds;
  readonly rollouts: readonly RolloutFigures[];
};

/** Shows only auth's own counts if `figures` is undefined, because the store could not be read. */
export function exposition(live: Live, figures: Figures | undefined): string {
  const readable: MetricFamily = {
    name: "svc_auth_store_readable",
    type: "gauge",
    help: "1 where the store could be read, else 0, and then what it would say is absent.",
    samples: one(figures === undefined ? 0 : 1),
  };
  return printMetrics([
    ...counted(live),
    ...rolloutFamilies(live.rollouts),
    readable,
    ...(figures === undefined ? [] : stored(figures)),
  ]);
}

function counted({ meter, signIns, version, clusterName, connections, ownUntil, authorityUntil }: Live): readonly MetricFamily[] {
  return [
    {
      name: "svc_auth_calls_total",
      type: "counter",
      help: "Calls that were answered, by method (none: there is no such method) and outcome: ok, a word of the protocol, refused_unheard or gone.",
      samples: meter.calls().map(({ method, outcome, value }) => ({ labels: { method, outcome }, value })),
    },
    {
      name: "svc_auth_refused_total",
      type: "counter",
      help: "Calls that the gate refused, by reason: what is wrong with the certificate, session-ended, proof-refused, or not-allowed.",
      samples: [...meter.refused].map(([reason, value]) => ({ labels: { reason }, value })),
    },
    {
      name: "svc_auth_certificates_issued_total",
      type: "counter",
      help: "Certificates that were issued, by what for: join, renew, or auth's own.",
      samples: byKey("by", Object.entries(meter.issued)),
    },
    {
      name: "svc_auth_sign_ins_total",
      type: "counter",
      help: "Sign-ins of people, by what became of them: ok, a wrong password (or no such user), a wrong code, paused after others that were refused, or connector: refused through an identity provider.",
      samples: byKey("outcome", Object.entries(signIns)),
    },
    {
      name: "svc_auth_connections",
      type: "gauge",
      help: "Open connections of the port; root's socket is not among them.",
      samples: one(connections.count),
    },
    {
      name: "svc_auth_shed_connections_total",
      type: "counter",
      help: "Idle connections that were closed at the limit, to make room for others.",
      samples: one(meter.shed["most-connections"]),
    },
    {
      name: "svc_auth_certificate_expiry_timestamp_seconds",
      type: "gauge",
      help: "When auth's own certificate expires, in Unix time; it renews it by itself at half of its life.",
      samples: one(ownUntil),
    },
    {
      name: "svc_auth_ca_expiry_timestamp_seconds",
      type: "gauge",
      help: "When the first of the cluster's certificate authorities expires, in Unix time.",
      samples: one(authorityUntil),
    },
    {
      name: "svc_auth_info",
      type: "gauge",
      help: "Always 1: the version, and the cluster.",
      samples: [{ labels: { version, cluster: clusterName }, value: 1 }],
    },
  ];
}

function stored({ about, instances, tokens, sessions, events, lastBackup }: Figures): readonly MetricFamily[] {
  return [
    {
      name: "svc_auth_instances",
      type: "gauge",
      help: "Instances that have joined and were not removed, by kind.",
      samples: byKey("kind", instances),
    },
    {
      name: "svc_auth_tokens",
      type: "gauge",
      help: "Tokens in the store, those that have expired among them.",
      samples: one(tokens),
    },
    {
      name: "svc_auth_sessions",
      type: "gauge",
      help: "Sessions of people in the store, those that are over among them.",
      samples: one(sessions),
    },
    {
      name: "svc_auth_audit_events_total",
      type: "counter",
      help: "Events that were ever written into the audit, those that were forgotten since among them.",
      samples: one(events),
    },
    {
      name: "svc_auth_last_backup_timestamp_seconds",
      type: "gauge",
      help: "When somebody last began a backup, in Unix time; absent until somebody does.",
      samples: lastBackup === undefined ? [] : one(lastBackup),
    },
    {
      name: "svc_auth_store_revision",
      type: "gauge",
      help: "How many changes the store has seen; a restore jumps ahead.",
      samples: one(Number(about.revision)),
    },
    {
      name: "svc_auth_store_bytes",
      type: "gauge",
      help: "How large the store is.",
      samples: one(about.bytes),
    },
  ];
}

function one(value: number): readonly Sample[] {
  return [{ labels: {}, value }];
}

function byKey(label: string, values: Iterable<readonly [string, number]>): readonly Sample[] {
  return [...values].map(([key, value]) => ({ labels: { [label]: key }, value }));
}
