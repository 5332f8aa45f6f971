import { quote } from "../../rules/text/quote.ts";
import { few, type MappedRow } from "./map-claims.ts";
import type { ResourceOf } from "./resource.ts";

export type GithubSpec = ResourceOf<"github">["spec"];

/** A team is identified by its organization's login and its own slug. */
export type Team = { readonly organization: string; readonly team: string };

const publicGithub = { endpoint: "https://github.com", api: "https://api.github.com" };

/** The addresses of GitHub, without a slash at the end. A GitHub Enterprise's token goes to no other server, unless the file names one. */
export function addressesOf({
  endpoint_url: endpoint = publicGithub.endpoint,
  api_endpoint_url: api,
}: Pick<GithubSpec, "endpoint_url" | "api_endpoint_url">): typeof publicGithub {
  const bare = withoutSlash(endpoint);
  const own = bare === publicGithub.endpoint ? publicGithub.api : `${bare}/api/v3`;
  return { endpoint: bare, api: api === undefined ? own : withoutSlash(api) };
}

function withoutSlash(url: string): string {
  return new URL(url).href.replace(/\/+$/, "");
}

export function rowsForTeams(
  { teams_to_roles: rows }: Pick<GithubSpec, "teams_to_roles">,
  teams: readonly Team[],
): readonly MappedRow[] {
  const has = new Set(teams.map(keyOf));
  return rows.map((row) => ({ name: row.organization, value: row.team, roles: row.roles, fits: has.has(keyOf(row)) }));
}

/** Ignores case, as GitHub does for both names. */
function keyOf({ organization, team }: Team): string {
  return `${organization}/${team}`.toLowerCase();
}

/** Tells a person who gets no role which teams GitHub sent, and which ones the rows ask for. */
export function tellMissingTeams(rows: readonly MappedRow[], teams: readonly Team[]): string {
  if (rows.length === 0) return "teams_to_roles has no row";
  const came = teams.map(({ organization, team }) => quote(`${organization}/${team}`));
  const asked = rows.map(({ name, value }) => quote(`${name}/${value}`));
  const sent = came.length === 0 ? "GitHub sent no team" : `GitHub sent the teams ${few(came).join(", ")}`;
  return `${sent}; teams_to_roles asks for ${few(asked).join(" or ")}`;
}
