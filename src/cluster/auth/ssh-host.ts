import { listOf, record } from "../../rules/shape/shape.ts";
import { plainText } from "../resource/name.ts";
import type { ItemKey } from "../storage/port.ts";

/** A host with sshd, and the keys for people's certificates that its last `svc ssh setup` made sshd trust. */
export const sshHost = record({ knows: listOf(plainText, 8) });

export function sshHostKey(id: string): ItemKey {
  return { kind: "ssh-host", name: id };
}
