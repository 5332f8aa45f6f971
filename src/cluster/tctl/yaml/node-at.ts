import type * as Library from "yaml";
import type { Node, Pair, YAMLMap } from "yaml";
import { quote } from "../../../rules/text/quote.ts";

export type Yaml = typeof Library;

/** Follows a path as far as it leads. So a missing key is reported at the place where it should be, an unknown one where it is. */
export function nodeAt(yaml: Yaml, from: Node, at: string): Node {
  if (yaml.isMap(from)) {
    const pair = pairAt(yaml, from, at);
    if (pair === undefined) return from;
    const [key, rest] = pair;
    return rest === "" || !yaml.isNode(key.value) ? (key.key as Node) : below(yaml, key, rest);
  }
  const [, index, rest = ""] = /^\[(\d+)\](.*)$/s.exec(at) ?? [];
  const item: unknown = yaml.isSeq(from) && index !== undefined ? from.items[Number(index)] : undefined;
  return yaml.isNode(item) ? nodeAt(yaml, item, rest) : from;
}

/** If nothing is found below a key, the key's line says more than its value's. */
function below(yaml: Yaml, pair: Pair, rest: string): Node {
  const value = pair.value as Node;
  const found = nodeAt(yaml, value, rest);
  return found === value ? (pair.key as Node) : found;
}

/** Takes the longest name that matches, because names may contain dots. */
function pairAt(yaml: Yaml, map: YAMLMap, at: string): readonly [Pair, string] | undefined {
  const fitting = map.items.flatMap((pair): readonly (readonly [Pair, string])[] => {
    const name = yaml.isScalar(pair.key) ? `.${quote(String(pair.key.value))}` : "";
    const rest = at.slice(name.length);
    return name !== "" && at.startsWith(name) && /^(?:$|[.[])/.test(rest) ? [[pair, rest]] : [];
  });
  return fitting.toSorted(([, left], [, right]) => left.length - right.length)[0];
}
