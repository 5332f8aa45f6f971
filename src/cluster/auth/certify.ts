import type { KeyObject } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { IdentitySchema } from "../api/generated/svc/v1/join_pb.ts";
import { issue, type Issued } from "../identity/authority.ts";
import type { InstanceKind, Subject } from "../identity/names.ts";
import { readRequest } from "../identity/request.ts";
import type { AuthTimes } from "../services/services.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { backdateSeconds } from "./cluster.ts";
import type { AuthContext } from "./context.ts";
import { timestamp } from "./timestamp.ts";

/** Reads the public key of a certificate request, and checks that its private key signed the request. */
export async function keyIn(request: string): Promise<KeyObject> {
  const reading = await readRequest(request);
  if (reading.kind === "request") return reading.publicKey;
  const { found, allowed } = reading;
  throw new Fault("request-refused", {
    message: "the certificate request is not taken",
    hint: "`svc join` makes a good one",
    wrong: [{ at: ".certificateRequest", found, allowed }],
  });
}

type Certifying = Pick<AuthContext, "authorities" | "times" | "now"> & Partial<Pick<AuthContext, "publicHosts">>;

export function certify(
  { authorities, times, now, publicHosts = [] }: Certifying,
  subject: Subject,
  publicKey: KeyObject,
): Promise<Issued> {
  const validity = { from: now() - backdateSeconds, until: now() + lifeOf(subject.kind, times) };
  const by = subject.kind === "auth" ? authorities.serving : authorities.signing;
  return issue(by, { subject, publicKey, validity, hosts: publicHosts });
}

/** Auth looks at its own certificate once a minute, so this certificate must live longer than those of tests. */
const shortestOwnSeconds = 3600;

export function lifeOf(kind: InstanceKind, { certificateSeconds }: AuthTimes): number {
  return kind === "auth" ? Math.max(certificateSeconds, shortestOwnSeconds) : certificateSeconds;
}

/** Tells times by auth's clock, because the host's may be a day wrong. */
export function identityMessage(
  { cluster, authorities, times }: Pick<AuthContext, "cluster" | "authorities" | "times">,
  subject: Subject,
  { certificate, until }: Issued,
): MessageInitShape<typeof IdentitySchema> {
  return {
    clusterName: cluster.name,
    clusterId: cluster.id,
    instanceId: subject.id,
    kind: subject.kind,
    certificate,
    authorities: authorities.trusted.map((one) => one.certificate.toString()).join(""),
    validUntil: timestamp(until),
    renewAfterSeconds: BigInt(Math.floor(times.certificateSeconds / 2)),
  };
}
