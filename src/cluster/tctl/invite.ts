import { createHash, randomBytes } from "node:crypto";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { tellTime } from "../../machine/clocks/tell-time.ts";
import { printLink } from "../session/link.ts";
import { askedProxy, parseProxyAddress } from "../session/proxy-address.ts";
import type { HostPort } from "../../rules/route/host-port.ts";
import { askedSeconds } from "./asked-time.ts";
import type { Given } from "../../machine/command-line/row.ts";
import type { TctlContext } from "./context.ts";

/** Enough bytes that nobody can guess the token. */
const tokenBytes = 32;

export type Invited = { readonly user: string; readonly link: string; readonly expires: string };

type Inviting = {
  readonly user: string;
  readonly proxy: HostPort;
  readonly ttlSeconds: number;
  /** Whether the user's present credentials become void at once. */
  readonly reset: boolean;
};

/** Makes the link here, and sends only its token's digest to auth. */
export async function invite(context: TctlContext, { user, proxy, ttlSeconds, reset }: Inviting): Promise<Invited> {
  const token = randomBytes(tokenBytes).toString("hex");
  const tokenDigest = createHash("sha256").update(token).digest("hex");
  const request = { user, tokenDigest, ttlSeconds: String(ttlSeconds), reset };
  const { expires = "" } = await context.call("InvitationService/CreateInvitation", request);
  return { user, link: printLink({ proxy, token }), expires };
}

/** Checked here too, because `users add` makes the user before it asks for the link. */
export function askedTtl(given: Given): number {
  const asked = given.text("ttl") ?? "24h";
  const seconds = askedSeconds(asked, "--ttl");
  if (seconds >= 60 && seconds <= 7 * 86_400) return seconds;
  throw new Fault("usage", {
    message: `--ttl "${quote(asked)}" is not from a minute to 7 days`,
    hint: "for example --ttl=30m, --ttl=12h, --ttl=2d",
  });
}

/** The proxy's public address for links. A signed-in user's session knows it, and root's configuration may. */
export async function linkProxy({ options: { proxy }, way, place }: TctlContext): Promise<HostPort | undefined> {
  const by = await way("a link too");
  if (by.kind === "person") return by.profile.proxy;
  if (proxy !== undefined) return askedProxy(proxy);
  return parseProxyAddress((await place()).proxyAddress ?? "");
}

export function tellInvitation({ user, link, expires }: Invited): string {
  return `This link is good once, until ${tellTime(expires)}, and is shown only now; anyone who has it can be ${quote(user, 128)}:

  ${quote(link, 400)}

They type \`tsh invite\`, and give it the link.
`;
}
