import type { Paths } from "../../machine/files/paths.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { removeFile } from "../../machine/files/remove-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import {
  decodeNotifications,
  encodeNotifications,
  longestNotificationsBytes,
  type Notification,
} from "../record/notifications.ts";

type Place = Pick<Paths, "root" | "notifications">;

export type Waiting =
  | { readonly kind: "waiting"; readonly waiting: readonly Notification[] }
  | { readonly kind: "unreadable"; readonly why: string };

/** The file exists as long as a notification waits. */
export function readWaiting({ notifications }: Place): Waiting {
  const reading = readFileCapped(notifications, { capBytes: longestNotificationsBytes, links: "refuse" });
  switch (reading.kind) {
    case "missing":
      return { kind: "waiting", waiting: [] };
    case "denied":
      return { kind: "unreadable", why: "this user may not read it" };
    case "refused":
      return { kind: "unreadable", why: reading.why };
    case "read": {
      const decoded = decodeNotifications(reading.text);
      return decoded.kind === "read" ? { kind: "waiting", waiting: decoded.value.waiting } : decoded;
    }
  }
}

/** Writes the file so that everyone can read it, like the state. */
export function writeWaiting({ root, notifications }: Place, waiting: readonly Notification[]): void {
  if (waiting.length === 0) removeFile(notifications, root);
  else writeFileAtomically(notifications, encodeNotifications(waiting), { root, mode: 0o644, fault: "state-unwritable" });
}
