import { everything, kinds, verbs } from "../access/permission.ts";
import { listOf, mapping, needed, orElse, word, type Form, type ValuesOf } from "./form.ts";

/** More than there are of both; a role that needs more is several roles. */
const mostWords = 64;
const mostRules = 64;

const all = { [everything]: "all of them, and those of later releases" };

const ruleKeys = {
  resources: needed(listOf(word({ ...kinds, ...all }), mostWords)),
  verbs: needed(listOf(word({ ...verbs, ...all }), mostWords)),
};
const rule: Form<ValuesOf<typeof ruleKeys>> = mapping(ruleKeys);

const sideKeys = { rules: orElse(listOf(rule, mostRules), []) };
const side: Form<ValuesOf<typeof sideKeys>> = mapping(sideKeys);

const keys = { allow: orElse(side, { rules: [] }), deny: orElse(side, { rules: [] }) };

/** What its holders may do; what it denies, they may not do whatever other roles allow. */
export const roleSpec: Form<ValuesOf<typeof keys>> = mapping(keys);
