import { isClusterFault } from "../../rules/fault/tell-fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import { noteTaking } from "./absence.ts";
import { authoritiesOf, type Authorities } from "./cluster.ts";
import type { AuthContext } from "./context.ts";
import { mostAuditRows, type AuthLimits } from "./limits.ts";
import { forgetOldShells } from "./open-shells.ts";
import { forgetOldProofs } from "./proof-memory.ts";
import { forgetOldPauses } from "./sign-in-pauses.ts";
import { ownCertificate, type OwnCertificate } from "./own-certificate.ts";
import { ticketKeysOf, type TicketKeys } from "./ticket-keys.ts";

/** What auth shows in a TLS handshake. */
export type Shown = { readonly own: OwnCertificate; readonly authorities: Authorities; readonly ticketKeys: TicketKeys };

type Upkeep = Omit<AuthContext, "authorities" | "removals">;

export async function firstShown(context: Upkeep, hostname: string): Promise<Shown> {
  const authorities = await authoritiesOf(context.store);
  const own = await ownCertificate({ ...context, authorities }, hostname);
  return { own, authorities, ticketKeys: await ticketKeysOf(context.store, context.now()) };
}

/** Reads all parts again. Returns the same object if nothing has changed; a part that fails stays until the next look. */
export async function lookAgain(shown: Shown, context: Upkeep, hostname: string): Promise<Shown> {
  const { store, log, now } = context;
  const authorities = await orKeep(shown.authorities, () => authoritiesOf(store), { what: "the certificate authorities", log });
  const ticketKeys = await orKeep(shown.ticketKeys, () => ticketKeysOf(store, now()), { what: "the keys of TLS sessions", log });
  const isOther = shown.own.authority !== authorities.serving.pin || shown.own.hosts.join() !== context.publicHosts.join();
  const isDue = isOther || now() >= shown.own.renewAt;
  const own = isDue
    ? await orKeep(shown.own, () => ownCertificate({ ...context, authorities }, hostname), {
        what: "auth's own certificate",
        log,
      })
    : shown.own;
  const isSame = own === shown.own && ticketKeys.equals(shown.ticketKeys) && pinsOf(authorities) === pinsOf(shown.authorities);
  return isSame ? shown : { own, authorities, ticketKeys };
}

/** Notes that auth takes reports: hosts count as silent only while an auth does. */
export async function noteReportsTaken({ store, now, log }: Upkeep, limits: Pick<AuthLimits, "lookMs">): Promise<void> {
  await orKeep(undefined, () => noteTaking(store, { now: now(), limits }), { what: "the time in which auth takes reports", log });
}

/** Deletes old and surplus events, some at each look. */
export async function forgetOldEvents({ store, now, times, log }: Upkeep): Promise<void> {
  const limits = { before: now() - times.auditSeconds, most: mostAuditRows };
  await orKeep(0, () => store.prune(limits), { what: "the old part of the audit", log });
}

export async function forgetShells(context: AuthContext): Promise<void> {
  await orKeep(undefined, () => forgetOldShells(context), { what: "the shells of proxies that are gone", log: context.log });
}

export async function forgetPassing({ store, people, now, log }: AuthContext): Promise<void> {
  const forget = async (): Promise<void> => {
    await people.pending.forgetOld(now());
    await forgetOldProofs(store, now());
    await forgetOldPauses(store, now());
  };
  await orKeep(undefined, forget, { what: "sign-ins, proofs and pauses that are over", log });
}

/** Writes the sums of refused sign-ins, and the times of reports that said nothing new. */
export async function writeRemembered(
  { store, people, lastReports, now, log }: Upkeep,
  which: "minutes-that-are-over" | "all",
): Promise<void> {
  await orKeep(undefined, () => people.refused.write(store, now(), which), { what: "the sign-ins that were refused", log });
  await orKeep(undefined, () => lastReports.write(store), { what: "when the last reports came", log });
}

type Looking = { readonly what: string; readonly log: Log };

async function orKeep<Value>(kept: Value, look: () => Promise<Value>, { what, log }: Looking): Promise<Value> {
  try {
    return await look();
  } catch (thrown) {
    const fault = isClusterFault(thrown) ? thrown.code : "bug";
    log("warning", "something that auth looks at each minute could not be renewed; it is tried again", {
      what,
      fault,
      why: thrown instanceof Error ? thrown.message : String(thrown),
    });
    return kept;
  }
}

function pinsOf({ trusted }: Authorities): string {
  return trusted.map(({ pin }) => pin).join(" ");
}
