import { dangerousVariables } from "./environment.ts";

/**
 * An administrator's own program, as a user that exists for this call alone, with no rights and no place to write. How long it may run, and
 * what it may take, is its caller's to say.
 */
export const strangersSandbox: readonly string[] = [
  "Type=simple",
  "DynamicUser=yes",
  "NoNewPrivileges=yes",
  "CapabilityBoundingSet=",
  "AmbientCapabilities=",
  "ProtectSystem=strict",
  // Debian's systemd leaves out /run/lock, where anybody may leave what outlives its user.
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
  // The network and the processes stay in sight: a check looks at them, and a notification goes out.
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
  // Its coming and going is no news for the journal.
  "LogLevelMax=notice",
  `UnsetEnvironment=${dangerousVariables.join(" ")}`,
];

/** systemd puts variables into a command line; `$$` is a dollar. */
export function literally(word: string): string {
  return word.replaceAll("$", "$$$$");
}
