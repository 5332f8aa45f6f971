import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { startHttps } from "./https-server.ts";

export type Account = { readonly id: number; readonly teams: readonly string[] };

export type Github = AsyncDisposable & {
  readonly origin: string;
  /** A file with the certificate of its authority. */
  readonly caFile: string;
  /** By login; the password of each is `right`. A team is ORGANIZATION/SLUG. */
  readonly people: Map<string, Account>;
  /** The tokens that it gave and that are good. */
  readonly tokens: Map<string, string>;
  /** How many tokens it ever gave. */
  readonly given: () => number;
  readonly mood: { keepsTokens: boolean; namesNextAt: string | undefined };
};

export const githubClient = { client_id: "Iv1.example", client_secret: "a secret of the application" };

const loginForm = `<form method="post"><input name="login"><input name="password" type="password">
<button>Sign in</button><button name="cancel" value="yes">Cancel</button></form>`;

type Coded = { readonly login: string; readonly challenge: string; readonly redirect: string };
type Answered = { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

/** Behaves as GitHub documents its web flow and these calls of its API, as an Enterprise server: the API lies below /api/v3. */
export async function startGithub(redirectUrl: string): Promise<Github> {
  const people = new Map<string, Account>();
  const codes = new Map<string, Coded>();
  const tokens = new Map<string, string>();
  let given = 0;
  const mood: Github["mood"] = { keepsTokens: false, namesNextAt: undefined };
  const names = { authority: "authority of GitHub", name: "github", altName: "DNS:localhost" };
  const { authority, port, stop } = await startHttps(names, answer);
  const origin = `https://localhost:${port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", origin);
    const body = await text(request);
    if (url.pathname === "/login/oauth/authorize") {
      authorize(url.searchParams, { isPosted: request.method === "POST", body }, response);
      return;
    }
    const { status, body: said, headers } = answerProgram(request, url, body);
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
    response.end(said === undefined ? undefined : JSON.stringify(said));
  }

  function authorize(
    asked: URLSearchParams,
    { isPosted, body }: { readonly isPosted: boolean; readonly body: string },
    response: ServerResponse,
  ): void {
    const redirect = asked.get("redirect_uri") ?? "";
    const isRight =
      asked.get("client_id") === githubClient.client_id &&
      redirect === redirectUrl &&
      asked.get("scope") === "read:org user:email" &&
      asked.get("code_challenge_method") === "S256";
    const back = (words: Readonly<Record<string, string>>): void => {
      const location = `${redirect}?${new URLSearchParams({ ...words, state: asked.get("state") ?? "" }).toString()}`;
      response.writeHead(302, { location }).end();
    };
    const form = new URLSearchParams(body);
    const login = form.get("login") ?? "";
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (!isRight) response.writeHead(404).end("<p>no such application</p>");
    else if (!isPosted) response.end(loginForm);
    else if (form.has("cancel"))
      back({ error: "access_denied", error_description: "The user has denied your application access." });
    else if (form.get("password") !== "right" || !people.has(login)) response.end(`<p>wrong password</p>${loginForm}`);
    else {
      const code = randomBytes(10).toString("hex");
      codes.set(code, { login, redirect, challenge: asked.get("code_challenge") ?? "" });
      back({ code });
    }
  }

  function answerProgram({ method, headers }: IncomingMessage, url: URL, body: string): Answered {
    const { pathname } = url;
    if ((headers["user-agent"] ?? "") === "")
      return { status: 403, body: { message: "Request forbidden by administrative rules." } };
    if (method === "POST" && pathname === "/login/oauth/access_token" && headers.accept === "application/json") {
      return { status: 200, body: exchange(new URLSearchParams(body)) };
    }
    if (headers["x-github-api-version"] !== "2022-11-28" || headers.accept !== "application/vnd.github+json") {
      return { status: 400, body: { message: "another version" } };
    }
    const { client_id: id, client_secret: secret } = githubClient;
    if (method === "DELETE" && pathname === `/api/v3/applications/${id}/token`) {
      if (headers.authorization !== `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`)
        return { status: 404, body: { message: "Not Found" } };
      if (mood.keepsTokens) return { status: 500, body: { message: "Server Error" } };
      return tokens.delete((JSON.parse(body) as { access_token: string }).access_token) ? { status: 204 } : { status: 404 };
    }
    const login = tokens.get(/^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "");
    const account = login === undefined ? undefined : people.get(login);
    if (account === undefined) return { status: 401, body: { message: "Bad credentials" } };
    if (pathname === "/api/v3/user") return { status: 200, body: { id: account.id, login } };
    return pathname === "/api/v3/user/teams" ? page(account, url) : { status: 404, body: { message: "Not Found" } };
  }

  function exchange(form: URLSearchParams): object {
    const code = form.get("code") ?? "";
    const coded = codes.get(code);
    codes.delete(code);
    if (form.get("client_id") !== githubClient.client_id || form.get("client_secret") !== githubClient.client_secret) {
      return {
        error: "incorrect_client_credentials",
        error_description: "The client_id and/or client_secret passed are incorrect.",
      };
    }
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (coded === undefined || coded.challenge !== challenge || coded.redirect !== form.get("redirect_uri")) {
      return { error: "bad_verification_code", error_description: "The code passed is incorrect or expired." };
    }
    const token = `gho_${randomBytes(18).toString("hex")}`;
    tokens.set(token, coded.login);
    given += 1;
    return { access_token: token, scope: "read:org,user:email", token_type: "bearer" };
  }

  function page({ teams }: Account, url: URL): Answered {
    const size = Number(url.searchParams.get("per_page") ?? 30);
    const number = Number(url.searchParams.get("page") ?? 1);
    const pages = Math.ceil(teams.length / size);
    const at = (wanted: number, rel: string): string =>
      `<${mood.namesNextAt ?? origin}/api/v3/user/teams?per_page=${size}&page=${wanted}>; rel="${rel}"`;
    const links = [
      ...(number > 1 ? [at(number - 1, "prev"), at(1, "first")] : []),
      ...(number < pages ? [at(number + 1, "next"), at(pages, "last")] : []),
    ];
    const body = teams.slice((number - 1) * size, number * size).map((team) => {
      const [login, slug] = team.split("/");
      return { name: `The team ${slug}`, slug, organization: { login } };
    });
    return { status: 200, body, headers: links.length === 0 ? {} : { link: links.join(", ") } };
  }

  return {
    origin,
    caFile: authority.file,
    people,
    tokens,
    given: () => given,
    mood,
    [Symbol.asyncDispose]: stop,
  };
}
