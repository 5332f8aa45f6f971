import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { callRaw } from "../auth/hosts.ts";
import { startHttps } from "../auth/https-server.ts";
import { startWithPeople, type WithPeople } from "../auth/people.ts";
import type { Changes } from "../auth/running.ts";
import type { Visited } from "../../../src/proxy/server/relay.ts";
import { isVisit, visitFor } from "../../../src/proxy/server/visit.ts";

/** As people reach it. */
export type ProxyAddress = {
  readonly people: WithPeople;
  readonly address: string;
  readonly caFile: string;
  /** What whoever sits there has seen. */
  readonly passed: string[];
};

/** Auth as it runs, and a public address in front of it that hands calls on and changes nothing. */
export async function startReachable(changes: Changes = {}): Promise<ProxyAddress & AsyncDisposable> {
  const people = await startWithPeople(changes);
  const passed: string[] = [];
  const visit = visitFor(
    {
      visit: async ({ path, query, cookie, address }) => {
        const body = JSON.stringify({ path, query, cookie, address });
        const answer = await callRaw(people.proxy.trusting, "SessionService/VisitSignIn", { body });
        const { crossSite = false, ...visited } = answer.body as Partial<Visited> & { readonly crossSite?: boolean };
        return { status: 503, location: "", cookie: "", page: "", ...visited, isCrossSite: crossSite };
      },
    },
    { meter: { relayed: () => undefined } },
  );
  async function handOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isVisit(request)) {
      await visit(request, response);
      return;
    }
    const body = await text(request);
    const { authorization, dpop } = request.headers;
    const headers = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(typeof dpop === "string" ? { dpop } : {}),
      "svc-client-address": "203.0.113.7",
    };
    const answer = await callRaw(people.proxy.trusting, (request.url ?? "").replace("/svc.v1.", ""), { body, headers });
    passed.push(`${request.url} ${body} ${JSON.stringify(answer.body)}`);
    const date = String(answer.headers["date"] ?? "");
    response.writeHead(answer.status, { "content-type": "application/json", date });
    response.end(JSON.stringify(answer.body));
  }
  const names = { authority: "authority of the proxy", name: "proxy", altName: "IP:127.0.0.1" };
  const { authority, port, stop } = await startHttps(names, handOn);
  return {
    people,
    address: `127.0.0.1:${port}`,
    caFile: authority.file,
    passed,
    [Symbol.asyncDispose]: async () => {
      await stop();
      await people[Symbol.asyncDispose]();
    },
  };
}
