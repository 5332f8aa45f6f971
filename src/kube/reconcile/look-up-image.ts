import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import { networkPorts, type NetworkScope } from "../../machine/network/network-ports.ts";
import { loadTrust } from "../../machine/network/trust.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { readAnswer, type ApiServer } from "../api-server/api-server.ts";
import { decideWith, moveToLookUp } from "../objects/lookup.ts";
import type { Decision } from "../objects/object-decision.ts";
import type { ObjectFacts, ObjectPolicy } from "../objects/object-facts.ts";
import type { LookupRules } from "../objects/registry-settings.ts";
import { imageIn } from "../objects/seen.ts";
import type { UpdaterSettings } from "../objects/settings.ts";
import { Registry } from "../registry/ask-registry.ts";
import type { Logins } from "../registry/conversation.ts";
import { openLookUp, type LookUp } from "../registry/look-up.ts";
import { readPullSecret } from "../registry/pull-secret.ts";

/** How to ask a registry before a change, and how its answer counts. */
export type Lookup = { readonly lookUp: LookUp; readonly rules: LookupRules; readonly monotonicMs: () => number };

type Common = Pick<UpdaterSettings, "registry" | "caFile"> & { readonly namespace: string };
type Ports = NetworkScope & { readonly api: Pick<ApiServer, "get"> };

/** Undefined if no registry is asked. */
export function openLookup({ registry, namespace, caFile }: Common, { api, ...network }: Ports): Lookup | undefined {
  const { lookup, pin, pullSecrets, plainHttp } = registry;
  if (lookup === "never") return undefined;
  const { routeOf, signal } = networkPorts(network);
  const logins = (): Promise<Logins> => readLogins(namespace, pullSecrets, { api, stopping: network.stopping });
  // Reads the authorities again each time, because certificates are renewed and lookups are rare.
  const asking = new Registry({ routeOf, signal, trust: () => loadTrust(caFile), plainHttp, logins });
  return { lookUp: openLookUp({ look: (image) => asking.look(image), monotonicMs }), rules: { lookup, pin }, monotonicMs };
}

type Reading = { readonly api: Pick<ApiServer, "get">; readonly stopping: AbortSignal };

/** Reads the logins of pull secrets when needed. Does not keep them. */
async function readLogins(namespace: string, names: readonly string[], { api, stopping }: Reading): Promise<Logins> {
  const found = await Promise.all(
    names.map(async (name): Promise<Logins> => {
      const answered = await api.get(`/api/v1/namespaces/${namespace}/secrets/${name}`, stopping);
      const reading = readAnswer(answered, readPullSecret);
      if (reading.kind === "read") return { logins: reading.value, troubles: [] };
      return { logins: [], troubles: [`the pull secret ${name} cannot be read: ${reading.why}`] };
    }),
  );
  return { logins: found.flatMap(({ logins }) => logins), troubles: found.flatMap(({ troubles }) => troubles) };
}

export type LookedDecision = {
  readonly decision: Decision;
  /** When the registry may be asked again; undefined if nothing depends on it. */
  readonly again: UnixSeconds | undefined;
};

type Deciding = { readonly facts: ObjectFacts; readonly policy: ObjectPolicy };

/** Decides a move again with the registry's answer. Other decisions do not need the registry. */
export async function withLookup(
  decided: Decision,
  { facts, policy }: Deciding,
  lookup: Lookup | undefined,
): Promise<LookedDecision> {
  const move = lookup && moveToLookUp(decided, facts, policy);
  if (lookup === undefined || move === undefined) return { decision: decided, again: undefined };
  const { container } = policy.object;
  const from = (facts.object && imageIn(facts.object, container)) ?? "";
  const { found, againMs } = await lookup.lookUp({ from, to: move.target.image });
  const again = facts.now + Math.max(1, Math.ceil((againMs - lookup.monotonicMs()) / 1000));
  return { decision: decideWith(found, move, { facts, policy, rules: lookup.rules }), again };
}
