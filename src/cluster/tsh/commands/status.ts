import { encode } from "../../../rules/shape/write.ts";
import { call } from "../../api/call.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { tellFault } from "../../../rules/fault/tell-fault.ts";
import { faultLines } from "../../../rules/fault/fault-lines.ts";
import type { Profile } from "../../session/profile.ts";
import { signedIn } from "../../session/signed-in.ts";
import { printJson } from "../../../rules/shape/print-json.ts";
import { notSignedIn, profileFor, type TshContext } from "../context.ts";
import { statusAnswer } from "../json/status.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { tellSession } from "../screen.ts";

/** After these faults the session may still be valid. Any other fault means that auth has refused it. */
const doubts: readonly string[] = ["auth-unreachable", "auth-busy", "auth-failed"];

export async function status(context: TshContext, given: Given): Promise<number> {
  const { out, error } = context.surroundings;
  const proxy = given.text("proxy");
  const profile = profileFor(context, proxy);
  if (profile === undefined) throw notSignedIn(proxy);
  const now = await asked(profile, context);
  const value = now.kind === "told" ? { profile: now.profile, notAsked: undefined } : { profile, notAsked: now.fault.message };
  const mark = value.notAsked === undefined ? "" : " (as last known)";
  out(given.format === "json" ? printJson(encode(statusAnswer, value)) : tellSession(value.profile, mark));
  if (now.kind === "told") return 0;
  const told = tellFault(now.fault, "tsh");
  error(faultLines(told));
  return told.exit;
}

type Asked = { readonly kind: "told"; readonly profile: Profile } | { readonly kind: "unknown"; readonly fault: Error };

async function asked(profile: Profile, context: TshContext): Promise<Asked> {
  const { stopping } = context.surroundings;
  try {
    const { session = {}, clusterName } = await call(
      signedIn(profile, context),
      { method: "SessionService/GetSession", request: {} },
      { stopping },
    );
    const until = Math.floor(Date.parse(session.until ?? "") / 1000);
    return {
      kind: "told",
      profile: {
        ...profile,
        user: session.user ?? profile.user,
        roles: session.roles ?? [],
        session: session.name ?? profile.session,
        until: Number.isSafeInteger(until) ? until : profile.until,
        cluster: { ...profile.cluster, name: clusterName ?? profile.cluster.name },
      },
    };
  } catch (thrown) {
    const isDoubt = thrown instanceof Fault && (doubts.includes(thrown.code) || thrown.code.startsWith("proxy-"));
    if (!isDoubt) throw thrown;
    return { kind: "unknown", fault: thrown };
  }
}
