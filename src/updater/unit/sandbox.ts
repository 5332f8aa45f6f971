import { dangerousVariables } from "./environment.ts";

/**
 * Runs an administrator's program as a user that exists only for this call, without rights and with no place to write. The caller sets its limits.
 */
export const strangersSandbox: readonly string[] = [
  "Type=simple",
  "DynamicUser=yes",
  "NoNewPrivileges=yes",
  "CapabilityBoundingSet=",
  "AmbientCapabilities=",
  "ProtectSystem=strict",
  // Debian's systemd leaves out /run/lock, where any user may leave files that outlive it.
  "ReadOnlyPaths=/run",
  "ProtectHome=yes",
  "PrivateTmp=yes",
  "PrivateDevices=yes",
  "ProtectClock=yes",
  "ProtectControlGroups=yes",
  "ProtectHostname=yes",
  "ProtectKernelLogs=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelTunables=yes",
  // The program may use the network and see processes, because a check looks at both and a notification is sent.
  "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "LockPersonality=yes",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service",
  "SystemCallErrorNumber=EPERM",
  "UMask=0077",
  "KillMode=control-group",
  // Keeps the unit's start and end out of the journal.
  "LogLevelMax=notice",
  `UnsetEnvironment=${dangerousVariables.join(" ")}`,
];

/** Writes a word so that systemd expands no variable in it; `$$` is a dollar sign. */
export function literally(word: string): string {
  return word.replaceAll("$", "$$$$");
}
