import { accepted, isMapping, refused, type SettingReading } from "../../rules/shape/reading.ts";
import { byDefault, listOf, matching, maybe, named, openWords, own, record } from "../../rules/shape/shape.ts";
import { everything, kinds, verbs } from "../access/permission.ts";
import { ownName } from "../access/shells.ts";

/** More kinds and verbs than exist. If a role needs more rules, make several roles. */
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

const anything = own((raw) => accepted(raw), "anything");
// Accepts these keys without a type, because nothing here reads them.
const foreign: object = Object.fromEntries(elsewhere.map((key) => [key, maybe(anything)]));

const mostLogins = 64;
/** Names of accounts, and `{{user}}`. Files from elsewhere have other templates, which allow nothing here. */
const login = matching(
  /^(?:[a-z_][a-z0-9_-]{0,31}|\{\{[a-zA-Z0-9_.[\]"' ()]{1,100}\}\})$/,
  "the name of an account, for example root, or {{user}}",
);
const labels = named(own(readValues, "a value, a list of values, or * for any"), {
  isName: (name) => /^[^\p{C}]{1,128}$/u.test(name),
  name: "the name of a label, or *",
  most: 64,
});

const side = byDefault(
  record({
    rules: byDefault(listOf(rule, mostRules), []),
    logins: byDefault(listOf(login, mostLogins), []),
    node_labels: byDefault(labels, {}),
    ...foreign,
  }),
  { rules: [], logins: [], node_labels: {} },
);

/** The permissions of a role's holders. A denied one is denied, whatever other roles allow. */
export const roleSpec = record({ allow: side, deny: side, options: maybe(anything) });

/** Finds what has no effect here in a role's file, such as `allow.db_users`, or a label that no host has. */
export function withoutEffectIn(spec: unknown): readonly string[] {
  const written = isMapping(spec) ? spec : {};
  const inSides = ["allow", "deny"].flatMap((name) => {
    const found = isMapping(written[name]) ? written[name] : {};
    return [...Object.keys(found).filter((key) => elsewhere.includes(key)), ...idleShells(found)].map((key) => `${name}.${key}`);
  });
  const { logins, node_labels: wanted } = isMapping(written["allow"]) ? written["allow"] : {};
  const isNowhere = Array.isArray(logins) && logins.length > 0 && Object.keys(isMapping(wanted) ? wanted : {}).length === 0;
  return [
    ...inSides,
    ...(isNowhere ? ["allow.logins without allow.node_labels"] : []),
    ...("options" in written ? ["options"] : []),
  ];
}

/** Templates other than the user's own name, labels that hosts give themselves, and `*` beside other values. */
function idleShells({ logins, node_labels: wanted }: Readonly<Record<string, unknown>>): readonly string[] {
  const templates = (Array.isArray(logins) ? logins : []).filter((one) => String(one).startsWith("{{") && one !== ownName);
  const labelled = Object.entries(isMapping(wanted) ? wanted : {}).filter(
    ([key, value]) => key.startsWith("host/") || (key === "*" && ![value].flat().includes("*")),
  );
  return [...templates.map((one) => `logins ${String(one)}`), ...labelled.map(([key]) => `node_labels ${key}`)];
}

function readValues(raw: unknown): SettingReading<readonly string[]> {
  const given: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const values = given.filter((one): one is string => typeof one === "string" && /^[^\p{C}]{1,256}$/u.test(one));
  return values.length === given.length && given.length > 0 && given.length <= 64 ? accepted(values) : refused(raw);
}
