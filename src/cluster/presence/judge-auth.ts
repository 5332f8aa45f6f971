import type { X509Certificate } from "node:crypto";
import { Fault } from "../../rules/fault/fault.ts";
import { clusterFaultTable } from "../../rules/fault/cluster-table.ts";
import type { ClusterId } from "../identity/names.ts";
import { readPeer, standingAt, type Peer, type PeerRefusal, type Trusted } from "../identity/peer.ts";
import { pinOf, type Pin } from "../identity/pin.ts";
import { describeCertificate } from "../../machine/network/certificate.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { printInstant } from "../../rules/window/instant.ts";

/** How to recognise auth: by a pin at first, later by the cluster's authorities. */
export type Known =
  | { readonly kind: "pinned"; readonly pins: readonly Pin[] }
  | { readonly kind: "joined"; readonly cluster: ClusterId; readonly authorities: readonly Trusted[] };

/** The certificates that a server showed, its own first. `whom` names the server in messages. */
export type Shown = { readonly whom: string; readonly chain: readonly X509Certificate[] };

/** Checks that the server is this cluster's auth service. Nothing is sent to it before. */
export function judgeAuth({ whom, chain }: Shown, known: Known, now: UnixSeconds): Peer {
  const [own, ...others] = chain;
  if (own === undefined) throw mismatch(`${whom} shows no certificate`);
  const authorities = known.kind === "joined" ? known.authorities : pinned(others, known.pins);
  if (known.kind === "pinned" && authorities.length === 0) throw wrongPin({ whom, chain }, known.pins);
  const reading = readPeer(own, authorities, known.kind === "joined" ? known.cluster : "any");
  if (reading.kind === "refused") throw refused(reading.why, { whom, own, known });
  const { peer } = reading;
  if (peer.subject.kind !== "auth")
    throw mismatch(`${whom} is no auth service: its certificate is of the kind ${peer.subject.kind}`);
  judgeTime(whom, peer, now);
  return peer;
}

/**
 * Checks a certificate's dates, also for a resumed session, whose certificate may have expired since. Servers' certificates are backdated by two
 * days, for clocks that are behind.
 */
export function judgeTime(whom: string, { from, until }: Peer, now: UnixSeconds): void {
  if (standingAt({ from, until }, now) === "valid") return;
  throw new Fault("clock-differs", {
    message: `the certificate of ${whom} is valid from ${printInstant(from)} to ${printInstant(until)}, and this host's clock says ${printInstant(now)}`,
    hint: clusterFaultTable["clock-differs"].remedy,
  });
}

/** The authorities that match a pin. Another certificate in the authority's name has another key, and so another pin. */
function pinned(chain: readonly X509Certificate[], pins: readonly Pin[]): readonly Trusted[] {
  return chain.map((certificate) => ({ pin: pinOf(certificate.publicKey), certificate })).filter(({ pin }) => pins.includes(pin));
}

function wrongPin(
  { whom, chain: [own, ...others] }: Shown & { readonly chain: readonly X509Certificate[] },
  pins: readonly Pin[],
): Fault {
  // Drops repetitions: a root is its own issuer, and node lists it again and again.
  const found = [...new Set(others.filter(({ ca }) => ca).map(({ publicKey }) => pinOf(publicKey)))];
  const asked = pins.join(" or ");
  if (found.length > 0) return mismatch(`${whom} has an authority with the pin ${found.join(", ")}, and ${asked} is asked for`);
  const shown = own === undefined ? "nothing" : describeCertificate(own);
  return mismatch(
    `${whom} shows no authority with the pin ${asked}, but ${shown}`,
    "if something on the way ends TLS with an authority of its own, have it let this address pass as it is; if not, this is no auth service's address",
  );
}

const replaced =
  "`tctl status` on the auth host shows the pin; was the authority replaced (`tctl ca rotate`) while this host was away? join again: `svc join --replace`";

type Refused = { readonly whom: string; readonly own: X509Certificate; readonly known: Known };

function refused(why: PeerRefusal, { whom, own, known }: Refused): Fault {
  const shown = describeCertificate(own);
  switch (why) {
    case "unknown-authority": {
      const by = known.kind === "pinned" ? "the authority with the pin" : "an authority of this host's cluster";
      const message = `the certificate of ${whom} is not signed by ${by}; it shows ${shown}`;
      return known.kind === "pinned" ? mismatch(message) : new Fault("auth-mismatch", { message, hint: replaced });
    }
    case "not-an-identity":
      return mismatch(`the certificate of ${whom} is not an auth service's; it shows ${shown}`);
    case "other-cluster":
      return mismatch(`${whom} is of another cluster; it shows ${shown}`);
  }
}

function mismatch(message: string, hint: string = clusterFaultTable["auth-mismatch"].remedy): Fault {
  return new Fault("auth-mismatch", { message, hint });
}
