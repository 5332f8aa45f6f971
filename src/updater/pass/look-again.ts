import { asFault } from "../../rules/fault/explain.ts";
import { decide } from "../plan/decide-host.ts";
import type { Facts } from "../plan/host-facts.ts";
import { policyOf, type Asked } from "../plan/host-policy.ts";
import { isSearchDue } from "../../rules/decide/search.ts";
import type { State } from "../record/state.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import { offeredAgain, type Observation } from "./observe.ts";
import type { Actors } from "./ports.ts";

type Given = { readonly settings: Settings; readonly asked: Asked; readonly state: State };

type Looked = { readonly facts: Facts; readonly searchedAt: State["searchedAt"] };

/**
 * Looks for a rejected version in another package. Lists that nobody refreshes would never show it, so they are refreshed now and then while that
 * version is served. A failure stops nothing.
 */
export async function lookAgain(
  { facts, manager, offers }: Observation,
  { settings, asked, state }: Given,
  { acting, log, stopping }: Pick<Actors, "acting" | "log" | "stopping">,
): Promise<Looked> {
  const known = { facts, searchedAt: state.searchedAt };
  const decision = decide(facts, policyOf(settings, asked));
  if (decision.kind !== "stay" || decision.why !== "rejected" || stopping.aborted) return known;
  if (offers === "known" && !isSearchDue(state.searchedAt, facts.now, asked)) return known;
  const name = settings.agent.package;
  try {
    await acting.refresh();
    const offered = await offeredAgain(manager, { name, state, pin: settings.pin }, facts.answer);
    return { facts: { ...facts, offered }, searchedAt: facts.now };
  } catch (thrown) {
    log("info", `whether another package is offered is not known: ${asFault(thrown).message}`, {});
    return { facts, searchedAt: facts.now };
  }
}
