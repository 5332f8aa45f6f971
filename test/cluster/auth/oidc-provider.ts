import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Provider } from "oidc-provider";
import { startHttps } from "./https-server.ts";

export type Claims = Readonly<Record<string, unknown>>;

export type OidcProvider = AsyncDisposable & {
  readonly issuer: string;
  /** A file with the certificate of its authority. */
  readonly caFile: string;
  readonly pem: string;
  /** Its own certificate. */
  readonly cert: string;
  readonly port: number;
  /** What it says of people, by subject; the password of each is `right`. */
  readonly people: Map<string, Claims>;
  /** Whether it answers at all. */
  readonly mood: { away: boolean };
};

export const client = { client_id: "cluster", client_secret: "a secret between the two" };

const loginForm = `<form method="post"><input name="login"><input name="password" type="password">
<button>Sign in</button><button name="cancel" value="yes">Cancel</button></form>`;

/** `oidc-provider` as it is published, with a login page of two fields. It listens on this machine's loopback. */
export async function startOidcProvider(redirectUrl: string, name: string = "localhost"): Promise<OidcProvider> {
  const people = new Map<string, Claims>();
  const mood = { away: false };
  const names = { authority: "authority of the provider", name: "idp", altName: `DNS:${name}` };
  const { authority, cert, port, stop } = await startHttps(names, answer);
  const issuer = `https://${name}:${port}`;
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [redirectUrl], response_types: ["code"], grant_types: ["authorization_code"] }],
    cookies: { keys: ["a key for cookies"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], groups: ["groups"] },
    scopes: ["openid", "email", "groups"],
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...people.get(accountId) }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  });
  const proceed = provider.callback();

  /** The form is posted to its own address, as a browser does. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (request.method === "GET") {
      response.end(prompt.name === "login" ? loginForm : '<form method="post"><button>Allow</button></form>');
      return;
    }
    const form = new URLSearchParams(await text(request));
    if (form.has("cancel")) {
      await provider.interactionFinished(request, response, { error: "access_denied", error_description: "cancelled" });
      return;
    }
    if (prompt.name === "login") {
      const login = form.get("login") ?? "";
      if (form.get("password") !== "right" || !people.has(login)) {
        response.writeHead(401).end(`<p>wrong password</p>${loginForm}`);
        return;
      }
      await provider.interactionFinished(request, response, { login: { accountId: login } });
      return;
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: String(params["client_id"]) });
    grant.addOIDCScope("openid email groups");
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (mood.away) request.socket.destroy();
    else if (request.url?.startsWith("/interaction/") === true) await interact(request, response);
    else await proceed(request, response);
  }
  return {
    issuer,
    caFile: authority.file,
    pem: authority.pem,
    cert,
    port,
    people,
    mood,
    [Symbol.asyncDispose]: stop,
  };
}
