import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { isMapping, type Mapping } from "../../rules/shape/reading.ts";
import { githubCallback } from "../resource/connector.ts";
import { addressesOf, rowsForTeams, tellMissingTeams, type GithubSpec, type Team } from "../resource/map-teams.ts";
import { parseResourceName } from "../resource/name.ts";
import {
  challengeOf,
  newVisit,
  providerFailed,
  refusalInAddress,
  refusalOf,
  type Claimed,
  type Provider,
  type ProviderPorts,
} from "./provider.ts";
import { fetchOver } from "./provider-fetch.ts";

/** Enough for 5,000 teams. */
const mostPages = 50;
/** The time for all requests of one sign-in; the proxy waits 30 seconds. */
const wholeMs = 15_000;

/** OAuth's web flow, as GitHub documents it. GitHub sends no ID token, so its API says who came. */
export const github: Provider<GithubSpec> = {
  isCallback: (path) => path === githubCallback,
  state: "state",
  begin: (spec, ports) => {
    secretOf(spec);
    const visit = newVisit(ports);
    const url = new URL(`${addressesOf(spec).endpoint}/login/oauth/authorize`);
    url.search = new URLSearchParams({
      client_id: spec.client_id,
      redirect_uri: spec.redirect_url,
      scope: "read:org user:email",
      state: visit.state,
      code_challenge: challengeOf(visit),
      code_challenge_method: "S256",
    }).toString();
    return Promise.resolve({ url: url.href, visit });
  },
  end: async (spec, ports, { query, visit }) => {
    const answered = new URLSearchParams(query);
    const error = answered.get("error");
    if (error !== null) throw refusalInAddress(error);
    const asking = { spec, ports, signal: AbortSignal.timeout(wholeMs) };
    const token = await exchange(asking, { code: answered.get("code") ?? "", verifier: visit.verifier });
    try {
      return await claimedBy({ ...asking, token });
    } finally {
      await revoke({ ...asking, token });
    }
  },
};

type Asking = { readonly spec: GithubSpec; readonly ports: ProviderPorts; readonly signal: AbortSignal };
type Authorized = Asking & { readonly token: string };

function secretOf({ client_secret: secret }: GithubSpec): string {
  if (secret !== undefined) return secret;
  throw new Fault("provider-failed", {
    message: "the connector has no client_secret, and GitHub signs nobody in without one",
    hint: "the cluster's administrator adds client_secret to its file: `tctl create -f FILE`",
  });
}

async function exchange(
  { spec, ports, signal }: Asking,
  sent: { readonly code: string; readonly verifier: string },
): Promise<string> {
  const form = new URLSearchParams({
    client_id: spec.client_id,
    client_secret: secretOf(spec),
    code: sent.code,
    redirect_uri: spec.redirect_url,
    code_verifier: sent.verifier,
  });
  const url = `${addressesOf(spec).endpoint}/login/oauth/access_token`;
  const { body } = await ask(ports, url, {
    method: "POST",
    headers: { ...always, accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
    signal,
  });
  const { error, error_description: description, access_token: token } = isMapping(body) ? body : {};
  // GitHub answers errors with the status 200.
  if (typeof error === "string") throw refusalOf(error, description);
  if (typeof token !== "string" || !/^[!-~]+$/.test(token)) throw providerFailed("GitHub sent no access token");
  return token;
}

async function claimedBy(authorized: Authorized): Promise<Claimed> {
  const { endpoint, api } = addressesOf(authorized.spec);
  const { body } = await askApi(authorized, `${api}/user`);
  const { id, login } = isMapping(body) ? body : {};
  if (typeof id !== "number" || !Number.isSafeInteger(id) || typeof login !== "string") {
    throw providerFailed("GitHub did not say who signed in");
  }
  const teams = await teamsOf(authorized, api);
  const rows = rowsForTeams(authorized.spec, teams);
  const name = parseResourceName(login);
  return {
    issuer: endpoint,
    subject: String(id),
    name:
      name === undefined
        ? { kind: "refused", why: `${quote(login)} cannot be a user's name here`, hint: "sign in with another account" }
        : { kind: "named", name },
    claims: { id, login, teams: teams.map(({ organization, team }) => `${organization}/${team}`) },
    rows,
    missing: {
      why: tellMissingTeams(rows, teams),
      hint: "have yourself added to one of these teams, or a row added to teams_to_roles; where an organization's teams are missing, an owner of it may have to approve the OAuth app first",
    },
  };
}

/** Reads the teams from all pages. Sends the token to no other origin, even if a page names one. */
async function teamsOf(authorized: Authorized, api: string): Promise<readonly Team[]> {
  const teams: Team[] = [];
  let url: string | undefined = `${api}/user/teams?per_page=100`;
  for (let pages = 0; url !== undefined; pages += 1) {
    if (pages === mostPages) throw providerFailed(`GitHub has more than ${mostPages} pages of teams`);
    if (URL.parse(url)?.origin !== new URL(api).origin) throw providerFailed("GitHub names a next page at another address");
    const { body, link } = await askApi(authorized, url);
    if (!Array.isArray(body)) throw providerFailed("GitHub did not send a list of teams");
    teams.push(...body.flatMap(teamIn));
    url = nextIn(link);
  }
  return teams;
}

function teamIn(raw: unknown): readonly Team[] {
  const { slug, organization }: Mapping = isMapping(raw) ? raw : {};
  const login = isMapping(organization) ? organization["login"] : undefined;
  return typeof slug === "string" && typeof login === "string" ? [{ organization: login, team: slug }] : [];
}

function nextIn(link: string): string | undefined {
  return /<([^<>]+)>\s*;\s*rel="next"/.exec(link)?.[1];
}

/** Revokes the token, so that nobody can use it later. A failure stops no sign-in, because the token can only read. */
async function revoke({ spec, ports, token }: Authorized): Promise<void> {
  const { client_id: id } = spec;
  const { endpoint, api } = addressesOf(spec);
  const basic = Buffer.from(`${id}:${secretOf(spec)}`).toString("base64");
  try {
    await ask(ports, `${api}/applications/${encodeURIComponent(id)}/token`, {
      method: "DELETE",
      headers: { ...always, ...ofApi, authorization: `Basic ${basic}`, "content-type": "application/json" },
      body: JSON.stringify({ access_token: token }),
    });
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : "";
    ports.log("warning", "GitHub did not revoke the access token of a sign-in", { provider: quote(endpoint), why });
  }
}

/** GitHub refuses requests without a User-Agent. */
const always = { "user-agent": "svc" };
const ofApi = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };

function askApi({ ports, token, signal }: Authorized, url: string): Promise<Answer> {
  return ask(ports, url, { method: "GET", headers: { ...always, ...ofApi, authorization: `Bearer ${token}` }, signal });
}

type Answer = { readonly body: unknown; readonly link: string };

/** Redirects are not followed, so that no secret goes elsewhere. */
async function ask({ ways }: ProviderPorts, url: string, sent: Parameters<ReturnType<typeof fetchOver>>[1]): Promise<Answer> {
  const { host, pathname } = new URL(url);
  let answer: Response;
  try {
    answer = await fetchOver(ways)(url, sent);
  } catch (thrown) {
    throw providerFailed(`${quote(host, 200)} cannot be asked`, thrown);
  }
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) {
    const said = isMapping(body) && typeof body["message"] === "string" ? `: ${quote(body["message"], 200)}` : "";
    throw providerFailed(`${quote(host, 200)} answers ${answer.status} to ${sent.method} ${quote(pathname)}${said}`);
  }
  return { body, link: answer.headers.get("link") ?? "" };
}
