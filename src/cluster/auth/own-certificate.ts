import { createPublicKey, randomUUID } from "node:crypto";
import { makeKeyPair } from "../identity/key.ts";
import { parseInstanceId, type InstanceId, type Subject } from "../identity/names.ts";
import { pinOf, type Pin } from "../identity/pin.ts";
import type { Change, Item } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { certify, lifeOf } from "./certify.ts";
import { entryBy, overtaken, put, retrying } from "./changes.ts";
import type { AuthContext } from "./context.ts";
import { instanceKey, instanceRow, type InstanceRow } from "./instance-row.ts";
import { issuedEntry } from "./issue-identity.ts";
import { bodyOf, findRow, type Stored } from "./row-forms.ts";

/** Auth's own certificate. Its key is only in memory, and is new at each start and renewal. */
export type OwnCertificate = {
  readonly id: InstanceId;
  /** The certificate in PEM. */
  readonly certificate: string;
  readonly privateKey: string;
  readonly until: UnixSeconds;
  readonly renewAt: UnixSeconds;
  /** The authority that signed it. */
  readonly authority: Pin;
  /** The hosts that it names. */
  readonly hosts: readonly string[];
};

type Own = Pick<AuthContext, "store" | "cluster" | "authorities" | "times" | "now" | "version" | "publicHosts">;

/** Issues auth's own certificate, at the start and from `renewAt` on. Auth is an instance too, one for each host name. */
export function ownCertificate(context: Own, hostname: string): Promise<OwnCertificate> {
  return retrying(() => tryToIssue(context, hostname), {
    message: `several auth services on ${hostname} begin at the same time`,
    hint: "one auth service for a host: `systemctl status svc`",
  });
}

async function tryToIssue(context: Own, hostname: string): Promise<OwnCertificate | typeof overtaken> {
  const { store, cluster, now, times } = context;
  const placeKey = { kind: "auth-server", name: hostname };
  const place = await store.get(placeKey);
  const before = place === undefined ? undefined : await standing(context, place);
  const id = before?.id ?? (randomUUID() as InstanceId);
  const subject: Subject = { cluster: cluster.id, kind: "auth", id };
  const pair = await makeKeyPair();
  const publicKey = createPublicKey(pair.publicKey);
  const issued = await certify(context, subject, publicKey);
  const row: InstanceRow = {
    ...(before?.row ?? empty(now())),
    hostname,
    version: context.version,
    key: pinOf(publicKey),
    current: issued.serial,
    issued: issued.serial,
    authority: context.authorities.serving.pin,
    renewed: now(),
    certificate_until: issued.until,
  };
  const changes: readonly Change[] = [
    put(instanceKey(id), bodyOf(instanceRow, row), before?.item),
    put(placeKey, { instance: id }, place),
  ];
  const audit = [entryBy("auth", "auth", issuedEntry(subject, issued.serial))];
  const committed = await store.commit({ at: now(), by: "auth", changes, audit });
  if (committed.kind === "overtaken") return overtaken;
  const renewAt = now() + Math.floor(lifeOf("auth", times) / 2);
  const authority = context.authorities.serving.pin;
  return {
    id,
    certificate: issued.certificate,
    privateKey: pair.privateKey,
    until: issued.until,
    renewAt,
    authority,
    hosts: context.publicHosts,
  };
}

type Before = Stored<InstanceRow> & { readonly id: InstanceId };

/** The instance of this host's auth. If it was removed it stays removed, and this auth becomes a new instance. */
async function standing({ store }: Own, { body }: Item): Promise<Before | undefined> {
  const id = typeof body["instance"] === "string" ? parseInstanceId(body["instance"]) : undefined;
  const found = id === undefined ? undefined : await findRow(store, instanceRow, instanceKey(id));
  if (id === undefined || found === undefined) return undefined;
  return found.row.removed === undefined && found.row.kind === "auth" ? { id, ...found } : undefined;
}

function empty(
  now: UnixSeconds,
): Omit<InstanceRow, "hostname" | "key" | "issued" | "authority" | "renewed" | "certificate_until"> {
  return {
    kind: "auth",
    services: ["auth"],
    version: "",
    labels: {},
    ephemeral: false,
    current: undefined,
    joined: now,
    token: "",
    cloned: undefined,
    removed: undefined,
  };
}
