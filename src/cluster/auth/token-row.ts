import { byDefault, count, record, truth, type Of } from "../../rules/shape/shape.ts";
import { labels, plainText } from "../resource/name.ts";
import type { ItemKey } from "../storage/port.ts";
import { digest, instanceKind } from "./row-forms.ts";

export const tokenRow = record({
  digest,
  type: instanceKind,
  expires: count,
  /** 0 means any number. */
  uses: byDefault(count, 0),
  used: byDefault(count, 0),
  labels: byDefault(labels, {}),
  ephemeral: byDefault(truth, false),
  created_by: plainText,
  created: count,
});

export type TokenRow = Of<typeof tokenRow>;

export function tokenKey(name: string): ItemKey {
  return { kind: "token", name };
}
