import { listOf, record } from "../../rules/shape/shape.ts";
import { plainText } from "../resource/name.ts";
import type { ItemKey } from "../storage/port.ts";

/** A host whose sshd was told, at its last `svc ssh setup`, to trust these keys for people's certificates. */
export const sshHost = record({ knows: listOf(plainText, 8) });

export function sshHostKey(id: string): ItemKey {
  return { kind: "ssh-host", name: id };
}
