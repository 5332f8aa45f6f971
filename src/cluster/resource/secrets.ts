import { isMapping } from "../../rules/settings/reading.ts";

/** What providers hand out, and keys that sign, by the names that such files give them. */
const secretName = /(?:^|_)(?:secret|password|private_key|signing_key|passphrase)$/;

/** The same without what is secret, for whoever did not ask for it or may not see it. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isMapping(value)) return value;
  const shown = Object.entries(value).filter(([name]) => !secretName.test(name));
  return Object.fromEntries(shown.map(([name, item]) => [name, withoutSecrets(item)]));
}

/** What was read without its secrets and is written back keeps those that are there. */
export function keepingSecrets(written: unknown, stored: unknown): unknown {
  if (!isMapping(written) || !isMapping(stored)) return written;
  const kept = Object.entries(stored).filter(([name]) => secretName.test(name) && !Object.hasOwn(written, name));
  const items = Object.entries(written).map(([name, item]) => [name, keepingSecrets(item, own(stored, name))]);
  return Object.fromEntries([...items, ...kept]);
}

function own(mapping: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(mapping, name) ? mapping[name] : undefined;
}
