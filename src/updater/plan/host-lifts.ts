import type { Lift } from "../../rules/decide/common-lift.ts";

/** Installs the agent's package on a host without it. */
export const installAgent = "svc-upgrade run --now --install";

/** What ends a stay, as a whole command or as the end of a sentence with commands in backquotes. */
export const lifts: Readonly<Record<Lift | "release the package" | "another schedule", string>> = {
  "a version is served": "the cluster serves a version",
  "auth answers": "the cluster's proxies hear from its auth service again",
  "another version is served": "the cluster serves another version",
  retry: "svc-upgrade retry",
  "end the hold": "svc-upgrade unhold",
  unpin: "svc-upgrade unpin",
  "release the package": "release the package's hold in the package manager, or set `holds: override`",
  "another artifact":
    "a newer version is served and does well here, another package of this version is offered, or `svc-upgrade retry`",
  "another artifact of the pin": "another package of this version is offered, `svc-upgrade retry`, or `svc-upgrade unpin`",
  "allow downgrades": "set `downgrade: allow`",
  "allow majors": "upgrade to the next major version by hand, or set `major: any`",
  "roll back": "svc-upgrade rollback",
  "run now": "svc-upgrade run --now",
  "another schedule": "the agent exports another schedule, or `svc-upgrade run --now`",
  "set the clock": "set the clock: `svc-upgrade doctor` says how on this host",
  "a schedule": "the agent exports a schedule, or set a window, or `svc-upgrade run --now`",
};
