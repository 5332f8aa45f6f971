import { isMapping, type Mapping } from "../../rules/shape/reading.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { makeKeyPair } from "../identity/key.ts";
import { unseal } from "../identity/sealed.ts";
import type { TctlContext } from "./context.ts";
import { pages } from "./pages.ts";

export type Asking = { readonly kind: string; readonly withSecrets: boolean };

/** Lists resources page by page. An empty kind means all kinds. */
export async function listAll(context: Pick<TctlContext, "call" | "way">, asking: Asking): Promise<readonly Mapping[]> {
  const { kind, withSecrets } = asking;
  const key = await keyFor(context, asking);
  const found: Mapping[] = [];
  const ask = (page: object) => context.call("ResourceService/ListResources", { kind, withSecrets, ...page, ...key?.sent });
  for await (const { resources, sealed } of pages(ask)) {
    const listed = key === undefined ? resources : await opened(key, sealed);
    if (Array.isArray(listed)) found.push(...listed.filter(isMapping));
  }
  return found;
}

export async function getOne(
  context: Pick<TctlContext, "call" | "way">,
  { name, ...asking }: Asking & { readonly name: string },
): Promise<Mapping | undefined> {
  const key = await keyFor(context, asking);
  const answer = await context.call("ResourceService/GetResource", { ...asking, name, ...key?.sent });
  const resource: unknown = key === undefined ? answer.resource : await opened(key, answer.sealed);
  return isMapping(resource) ? resource : undefined;
}

type Key = { readonly privateKey: string; readonly sent: { readonly secretsKey: string } };

/** A key of this call, to which auth encrypts secrets: on their way to a person they pass a proxy. */
async function keyFor({ way }: Pick<TctlContext, "way">, { withSecrets }: Asking): Promise<Key | undefined> {
  if (!withSecrets || (await way()).kind === "root") return undefined;
  const { privateKey, publicKey } = await makeKeyPair();
  return { privateKey, sent: { secretsKey: publicKey } };
}

async function opened({ privateKey }: Key, sealed = ""): Promise<unknown> {
  try {
    return await unseal(privateKey, sealed);
  } catch (thrown) {
    throw new Fault("auth-mismatch", {
      message: "the answer is not encrypted to the key that tctl sent with this call",
      hint: "is auth older than tctl? `tctl status` shows its version; or something on the way changed the answer",
      cause: thrown,
    });
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
