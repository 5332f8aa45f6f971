import { hostHeader, installedHeader, type HostId } from "../../rules/channel/asking-host.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { isPlainHttpAbroad } from "../../rules/settings/endpoint.ts";
import type { Endpoint } from "../../rules/settings/settings.ts";
import type { Version } from "../../rules/version/version.ts";
import { printUrl, printWay } from "./hop.ts";
import type { Response } from "./request.ts";
import { askByHand } from "./what-to-type.ts";

export type Asker = {
  readonly endpoint: Endpoint;
  readonly installed: Promise<Version | undefined>;
  readonly ownName: (() => Promise<HostId | undefined>) | undefined;
};

/** How a question names its host. */
export type ByName = {
  readonly host: HostId;
  readonly headers: Readonly<Record<string, string>>;
  /** Throws if the answer was made for another host. */
  readonly judge: (response: Response) => void;
};

/** How to ask by name. Undefined if the asker has no name, or if the answer that asks for it came from another server. */
export async function byName(
  { url }: Pick<Response, "url">,
  { endpoint, installed: installing, ownName }: Asker,
): Promise<ByName | undefined> {
  // Does not send the name where others on the network could read it.
  if (url.origin !== new URL(endpoint).origin || isPlainHttpAbroad(url)) return undefined;
  const host = await ownName?.();
  if (host === undefined) return undefined;
  // Another caller reports this failure.
  const installed = await installing.catch(() => undefined);
  return {
    host,
    headers: { [hostHeader]: host, ...(installed === undefined ? {} : { [installedHeader]: installed }) },
    judge: (response) => {
      // A refusal names no host.
      if (response.status === 200 && response.forHost !== host) throw ofAnother(response);
    },
  };
}

function ofAnother(response: Response): Fault {
  const found = response.forHost === undefined ? "an answer that is made for no host" : "the answer for another host";
  return new Fault("answer-invalid", {
    message: `${printUrl(response.url)}, asked ${printWay(response)} by this host's name, answers ${found}: something between keeps answers and ignores \`Vary\`, or an instance of the server does not know the rollout`,
    hint: `let nothing keep answers of the version server, and look for \`Age\`, \`Via\` and \`X-Cache\` in what ${askByHand(response)} shows`,
  });
}
