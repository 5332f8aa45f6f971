import { weighCritical } from "../../rules/channel/critical.ts";
import type { State } from "../record/state.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** Why the last answer was called critical but does not count as critical yet; undefined if it counts, or was not called so. */
export function doubtIn({ lastContact, heard }: Pick<State, "lastContact" | "heard">, now: UnixSeconds): string | undefined {
  if (lastContact === undefined || lastContact.served === "none") return undefined;
  const { served, isCritical, doubt } = lastContact;
  const verdict = weighCritical({ served: { kind: "version", version: served }, isCritical, doubt }, heard, now);
  return verdict.kind === "doubted" ? verdict.told : undefined;
}
