import type { IdentityJson } from "../api/generated/svc/v1/join_pb.ts";
import type { RecordedClock } from "../../rules/decide/clock-verdict.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { clusterFaultTable } from "../../rules/fault/cluster-table.ts";
import { quote } from "../../rules/text/quote.ts";
import { decode } from "../../rules/shape/read.ts";
import { checkIdentity, storedIdentity, type Identity, type StoredIdentity } from "./identity.ts";

/** The parts of an identity that this host knows without auth. */
export type Own = Pick<StoredIdentity, "authServers" | "privateKey" | "generation" | "awaitsWords"> & {
  readonly cluster: StoredIdentity["cluster"]["id"];
  readonly received: RecordedClock;
};

/** Accepts one second (for tests) to thirty years. */
const secondsPattern = /^[1-9]\d{0,8}$/;

/** Makes this host's identity from auth's answer. Checks that all its parts match each other and this host's key. */
export function acceptIdentity(answer: IdentityJson | undefined, own: Own): Identity {
  const { cluster, received, ...mine } = own;
  const seconds: unknown = answer?.renewAfterSeconds;
  if (typeof seconds !== "string" || !secondsPattern.test(seconds)) throw unusable("it does not say when to renew");
  const { now, sinceBootSeconds, bootId } = received;
  // Decodes it as it will be read from the file, so that a stored identity can always be read again.
  const decoded = decode(
    JSON.stringify({
      schema: 1,
      cluster: { name: answer?.clusterName, id: answer?.clusterId },
      kind: answer?.kind,
      instance: answer?.instanceId,
      certificate: answer?.certificate,
      authorities: answer?.authorities,
      received: { now, sinceBootSeconds, bootId },
      renewAfterSeconds: Number(seconds),
      ...mine,
    }),
    storedIdentity,
    "ignored",
  );
  if (decoded.kind === "unreadable") throw unusable(decoded.why);
  const checked = checkIdentity(decoded.value);
  if (checked.kind === "refused") throw unusable(checked.why);
  if (checked.identity.stored.cluster.id !== cluster) throw unusable("it is of another cluster than the certificate of auth");
  return checked.identity;
}

function unusable(why: string): Fault {
  return new Fault("auth-mismatch", {
    message: `the identity that auth answered with cannot be used: ${quote(why, longestWhy)}`,
    hint: clusterFaultTable["auth-mismatch"].remedy,
  });
}

const longestWhy = 200;
