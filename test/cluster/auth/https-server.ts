import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createAuthority, type Authority, type Pair } from "../../machine/network/fixture/authority.ts";

type HttpsServer = Pair & {
  readonly authority: Authority;
  readonly port: number;
  readonly stop: () => Promise<void>;
};
type Named = { readonly authority: string; readonly name: string; readonly altName: string };
type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Listens on this machine's loopback, with a certificate of an authority of its own. */
export async function startHttps({ authority: called, ...names }: Named, answer: Answer): Promise<HttpsServer> {
  const authority = createAuthority(called);
  const pair = authority.issue(names);
  const server = createServer({ cert: pair.cert, key: pair.key }, (request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    ...pair,
    authority,
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      authority.remove();
    },
  };
}
