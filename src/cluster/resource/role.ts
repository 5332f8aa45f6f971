import { accepted, isMapping } from "../../rules/shape/reading.ts";
import { byDefault, listOf, maybe, openWords, own, record } from "../../rules/shape/shape.ts";
import { everything, kinds, verbs } from "../access/permission.ts";

/** More kinds and verbs than exist; a role that needs more is several roles. */
const mostWords = 64;
const mostRules = 64;

const all = { [everything]: "all of them, and those of later releases" };

const rule = record({
  resources: listOf(openWords({ ...kinds, ...all }), mostWords),
  verbs: listOf(openWords({ ...verbs, ...all }), mostWords),
});

/** Keys in role files of other clusters that have no effect here. */
const elsewhere = [
  "app_labels app_labels_expression aws_role_arns azure_identities cluster_labels cluster_labels_expression",
  "db_labels db_labels_expression db_names db_permissions db_roles db_service_labels db_users desktop_groups",
  "gcp_service_accounts group_labels host_groups host_sudoers impersonate join_sessions kubernetes_groups",
  "kubernetes_labels kubernetes_labels_expression kubernetes_resources kubernetes_users mcp node_labels_expression",
  "request require_session_join review_requests spiffe windows_desktop_labels windows_desktop_logins",
].flatMap((names) => names.split(" "));

/** A stored login would come alive by itself in a release that serves shells, so it is not stored. */
const leftOut: readonly string[] = ["logins", "node_labels"];

const anything = own((raw) => accepted(raw), "anything");
const nothingOf = own(() => accepted(undefined), "anything");
// The type names none of them, as nothing here reads them.
const foreign: object = {
  ...Object.fromEntries(elsewhere.map((key) => [key, maybe(anything)])),
  ...Object.fromEntries(leftOut.map((key) => [key, maybe(nothingOf)])),
};

const side = byDefault(record({ rules: byDefault(listOf(rule, mostRules), []), ...foreign }), { rules: [] });

/** Its holders' permissions; a denied one is denied whatever other roles allow. */
export const roleSpec = record({ allow: side, deny: side, options: maybe(anything) });

/** Finds the keys of a role's file that have no effect here, such as `allow.logins`. */
export function withoutEffectIn(spec: unknown): { readonly kept: readonly string[]; readonly leftOut: readonly string[] } {
  const written = isMapping(spec) ? spec : {};
  const inSides = ["allow", "deny"].flatMap((name) =>
    Object.keys(isMapping(written[name]) ? written[name] : {})
      .filter((key) => key !== "rules")
      .map((key) => ({ key, at: `${name}.${key}` })),
  );
  const isLeftOut = ({ key }: { readonly key: string }): boolean => leftOut.includes(key);
  return {
    kept: [...inSides.filter((one) => !isLeftOut(one)).map(({ at }) => at), ...("options" in written ? ["options"] : [])],
    leftOut: inSides.filter(isLeftOut).map(({ at }) => at),
  };
}
