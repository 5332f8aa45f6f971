import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { maintenanceName } from "../resource/maintenance.ts";
import { nameRule, parseResourceName } from "../resource/name.ts";
import { resourceKinds } from "../resource/resource.ts";
import { nearest } from "../../rules/text/nearest.ts";

/** Undefined for all resources of the kind. */
export type Named = { readonly kind: string; readonly name: string | undefined };

/** Kinds that have their own commands. */
const elsewhere: Readonly<Record<string, string>> = {
  token: "tctl tokens ls",
  instance: "tctl instances ls",
  audit: "tctl audit ls",
};

/** Reads `role/x`, `role`, `roles` or `cmc`. The only resource of a kind needs no name. */
export function parseNamed(word: string): Named {
  const [given = "", ...rest] = word.split("/");
  const kind = kindOf(given);
  if (rest.length === 0) return { kind, name: kind === "cluster_maintenance_config" ? maintenanceName : undefined };
  const name = rest.join("/");
  if (name === "") throw nameless(kind);
  if (parseResourceName(name) === undefined) {
    throw usage(`"${quote(name)}" cannot be a name: ${nameRule}`, `\`tctl get ${kind} --format text\` shows the names`);
  }
  return { kind, name };
}

export function parseOne(word: string): { readonly kind: string; readonly name: string } {
  const { kind, name } = parseNamed(word);
  if (name !== undefined) return { kind, name };
  throw nameless(kind);
}

function nameless(kind: string): Fault {
  if (kind === "cluster_maintenance_config")
    return usage(`a name is missing after ${kind}/`, `a cluster has one: \`tctl get ${kind}\``);
  return usage(`which ${kind}? A name is missing`, `${kind}/NAME; \`tctl get ${kind} --format text\` shows the names`);
}

/** Short names, as in `tctl get cmc`. */
const short: Readonly<Record<string, string>> = { cmc: "cluster_maintenance_config" };

function kindOf(given: string): string {
  const meantByShort = Object.hasOwn(short, given) ? short[given] : undefined;
  if (meantByShort !== undefined) return meantByShort;
  const known = resourceKinds.find((one) => one === given || `${one}s` === given);
  if (known !== undefined) return known;
  const other = Object.keys(elsewhere).find((one) => one === given || `${one}s` === given);
  if (other !== undefined) throw usage(`${other} is no kind of resource that is made from a file`, `\`${elsewhere[other]}\``);
  const meant = nearest(given, resourceKinds);
  throw usage(
    `there is no kind "${quote(given)}"${meant === undefined ? "" : `, did you mean ${meant}?`}`,
    `kinds are ${resourceKinds.join(", ")}`,
  );
}

function usage(message: string, hint: string): Fault {
  return new Fault("usage", { message, hint });
}
