import { quote } from "../../rules/text/quote.ts";
import { tellTime } from "../../machine/clocks/tell-time.ts";
import type { Profile } from "../session/profile.ts";
import { printProxyAddress } from "../session/proxy-address.ts";
import { facts } from "../../rules/text/table.ts";
import { printInstant } from "../../rules/window/instant.ts";

/** Prints a session. `mark` follows facts that come from the profile and were not confirmed. */
export function tellSession({ cluster, proxy, user, connector, roles, until, session }: Profile, mark = ""): string {
  return facts([
    ["cluster", quote(cluster.name, 128)],
    ["proxy", printProxyAddress(proxy)],
    ["user", connector === undefined ? user : `${user}, through ${connector}`],
    ["roles", `${roles.length === 0 ? "none" : roles.map((role) => quote(role, 128)).join(",")}${mark}`],
    ["session", `${quote(session)}, until ${tellTime(printInstant(until))}${mark}`],
  ]);
}
