import { isMapping, type Mapping } from "../../rules/shape/reading.ts";
import type { TctlContext } from "./context.ts";

/** The most in one answer. */
const pageSize = 500;

export type Asking = { readonly kind: string; readonly withSecrets: boolean };

/** Page by page. An empty kind means all kinds. */
export async function listAll({ call }: Pick<TctlContext, "call">, { kind, withSecrets }: Asking): Promise<readonly Mapping[]> {
  const found: Mapping[] = [];
  for (let pageToken = ""; ;) {
    const page = await call("ResourceService/ListResources", { kind, withSecrets, pageSize, pageToken });
    found.push(...(page.resources ?? []).filter(isMapping));
    pageToken = page.nextPageToken ?? "";
    if (pageToken === "") return found;
  }
}

export function textAt(resource: Mapping, section: "metadata", key: string): string {
  const within = resource[section];
  const found = isMapping(within) ? within[key] : undefined;
  return typeof found === "string" ? found : "";
}

export function kindOf({ kind }: Mapping): string {
  return typeof kind === "string" ? kind : "";
}

export function rolesOf({ spec }: Mapping): readonly string[] {
  const roles = isMapping(spec) ? spec["roles"] : undefined;
  return Array.isArray(roles) ? roles.filter((role) => typeof role === "string") : [];
}
