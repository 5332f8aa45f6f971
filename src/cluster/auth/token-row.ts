import { flag, mapping, needed, orElse, plainText, seconds, type Form, type ValuesOf } from "../resource/form.ts";
import type { ItemKey } from "../storage/port.ts";
import { digest, instanceKind, labels } from "./row-forms.ts";

const keys = {
  digest: needed(digest),
  type: needed(instanceKind),
  expires: needed(seconds),
  /** 0: as often as anybody likes. */
  uses: orElse(seconds, 0),
  used: orElse(seconds, 0),
  labels: orElse(labels, {}),
  ephemeral: orElse(flag, false),
  created_by: needed(plainText),
  created: needed(seconds),
};

export const tokenRow: Form<ValuesOf<typeof keys>> = mapping(keys);
export type TokenRow = ValuesOf<typeof keys>;

/** Enough of the digest to tell tokens apart, and of no use to anybody. */
export function tokenName(tokenDigest: string): string {
  return tokenDigest.slice(0, 16);
}

export function tokenKey(name: string): ItemKey {
  return { kind: "token", name };
}
