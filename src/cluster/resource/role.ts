import { byDefault, listOf, openWords, record } from "../../rules/shape/shape.ts";
import { everything, kinds, verbs } from "../access/permission.ts";

/** More kinds and verbs than exist; a role that needs more is several roles. */
const mostWords = 64;
const mostRules = 64;

const all = { [everything]: "all of them, and those of later releases" };

const rule = record({
  resources: listOf(openWords({ ...kinds, ...all }), mostWords),
  verbs: listOf(openWords({ ...verbs, ...all }), mostWords),
});
const side = byDefault(record({ rules: byDefault(listOf(rule, mostRules), []) }), { rules: [] });

/** Its holders' permissions; a denied one is denied whatever other roles allow. */
export const roleSpec = record({ allow: side, deny: side });
