import { Fault } from "../../rules/fault/fault.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** More than a script that administers thousands of hosts writes in a night. */
const mostAtOnce = 20_000;
/** With the audit's million rows, one person needs eleven days to push out what they did. */
const freedInSecond = 1;

/** How much of the audit each person may fill, because its oldest rows go when it is full. */
export type AuditShare = { readonly take: (user: string, rows: number, now: UnixSeconds) => void };

export function shareAudit(): AuditShare {
  const used = new Map<string, { readonly rows: number; readonly at: UnixSeconds }>();
  return {
    take: (user, rows, now) => {
      const last = used.get(user) ?? { rows: 0, at: now };
      // A clock that was set back frees nothing, and takes nothing.
      const left = Math.max(0, last.rows - Math.max(0, now - last.at) * freedInSecond);
      if (left + rows > mostAtOnce) throw tooMuch(user);
      used.set(user, { rows: left + rows, at: now });
    },
  };
}

function tooMuch(user: string): Fault {
  return new Fault("auth-busy", {
    message: `${user} has filled as much of the audit as one person may: ${mostAtOnce} entries`,
    hint: "wait: there is room for one more each second; if it was not you, `tctl sessions rm --user` as root ends your sessions",
    retryAfterSeconds: 60,
  });
}
