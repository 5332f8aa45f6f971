import { call } from "../../api/call.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { removeProfile } from "../../session/profiles.ts";
import { printProxyAddress } from "../../session/proxy-address.ts";
import { signedIn } from "../../session/signed-in.ts";
import { profileFor, type TshContext } from "../context.ts";
import type { Given } from "../../../machine/command-line/row.ts";

/** Long enough for a slow network, and short enough for a user who signs out without one. */
const timeoutMs = 10_000;

/** Removes the local files even if auth cannot be reached: nobody can use the session without the key. */
export async function logout(context: TshContext, given: Given): Promise<number> {
  const { out, error, stopping } = context.surroundings;
  const profile = profileFor(context, given.text("proxy"));
  if (profile === undefined) {
    out("nobody was signed in\n");
    return 0;
  }
  let told: string | undefined;
  try {
    await call(signedIn(profile, context), { method: "SessionService/SignOut", request: {} }, { timeoutMs, stopping });
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    if (thrown.code !== "session-ended") told = thrown.message;
  } finally {
    removeProfile(context.profiles, profile.proxy);
  }
  out(`${profile.user} is signed out at ${printProxyAddress(profile.proxy)}\n`);
  if (told !== undefined) {
    error(
      `note: the cluster was not told (${told}). The key is gone from here, so nobody can use the session; to have it out of the lists: \`tctl sessions rm ${profile.session}\`\n`,
    );
  }
  return 0;
}
