export type FaultCode =
  | "usage"
  | "answer-invalid"
  | "redirect-refused"
  | "hand-over-invalid"
  | "channel-unknown"
  | "channel-refused"
  | "tls-untrusted"
  | "proxy-refused"
  | "contact-lost"
  | "package-absent"
  | "package-unreadable"
  | "manager-unclear"
  | "plan-refused"
  | "package-untrusted"
  | "database-broken"
  | "state-unreadable"
  | "os-failed"
  | "state-unwritable"
  | "file-failed"
  | "busy"
  | "channel-unreachable"
  | "channel-failing"
  | "proxy-unreachable"
  | "ask-failed"
  | "not-offered"
  | "refresh-failed"
  | "download-failed"
  | "manager-busy"
  | "no-space"
  | "stopping"
  | "not-permitted"
  | "settings-invalid"
  | "settings-untrusted"
  | "endpoint-missing"
  | "proxy-invalid"
  | "trust-store-missing"
  | "ca-file-unusable"
  | "host-unsupported"
  | "install-failed"
  | "verify-failed"
  | "activate-failed"
  | "unhealthy"
  | "bug";

/** How a fault ends a run, and what heals it. */
export type FaultRow = {
  readonly exit: number;
  /** "by-itself": a later pass may find it gone, so the timer just tries again. */
  readonly heals: "by-itself" | "by-hand";
  readonly meaning: string;
};

/**
 * Every fault there is, with its exit status. The README's table is checked against this one.
 * Statuses follow sysexits.h; 10 and 11 tell of a move that failed.
 */
export const faultTable: Readonly<Record<FaultCode, FaultRow>> = {
  usage: { exit: 64, heals: "by-hand", meaning: "the command line cannot be understood" },

  "answer-invalid": { exit: 65, heals: "by-hand", meaning: "the version server answered something that is not a version" },
  "redirect-refused": { exit: 65, heals: "by-hand", meaning: "the version server redirects too often, or from https to http" },
  "hand-over-invalid": {
    exit: 65,
    heals: "by-hand",
    meaning: "a file between the deciding and the asking half is not what it should be",
  },

  "channel-unknown": { exit: 69, heals: "by-hand", meaning: "the version server does not know the channel" },
  "channel-refused": { exit: 69, heals: "by-hand", meaning: "the version server refuses to answer this host" },
  "tls-untrusted": {
    exit: 69,
    heals: "by-hand",
    meaning: "the certificate of the version server or of an https proxy is not trusted",
  },
  "proxy-refused": { exit: 69, heals: "by-hand", meaning: "the HTTP CONNECT proxy refuses the tunnel, or is no proxy" },
  "contact-lost": { exit: 69, heals: "by-hand", meaning: "the version server has not been reached for 24 hours" },
  "package-absent": { exit: 69, heals: "by-hand", meaning: "the agent's package is not installed" },
  "package-unreadable": {
    exit: 69,
    heals: "by-hand",
    meaning: "the installed package's version cannot be read as a semantic version",
  },
  "manager-unclear": { exit: 69, heals: "by-hand", meaning: "no package manager, or more than one, manages the agent's package" },
  "plan-refused": {
    exit: 69,
    heals: "by-hand",
    meaning: "the package manager would remove or change packages that are not ours",
  },
  "package-untrusted": {
    exit: 69,
    heals: "by-hand",
    meaning: "the package is not signed by a key that this host trusts",
  },
  "database-broken": { exit: 69, heals: "by-hand", meaning: "the package database was left half-way by somebody else" },
  "state-unreadable": { exit: 69, heals: "by-hand", meaning: "the updater's state was unreadable and has been moved aside" },

  "os-failed": { exit: 71, heals: "by-hand", meaning: "the operating system refused something that always works" },
  "state-unwritable": { exit: 73, heals: "by-hand", meaning: "the updater's state cannot be written" },
  "file-failed": { exit: 74, heals: "by-hand", meaning: "a file could not be read or written" },

  busy: { exit: 75, heals: "by-itself", meaning: "another pass is running" },
  "channel-unreachable": { exit: 75, heals: "by-itself", meaning: "the version server cannot be reached" },
  "channel-failing": { exit: 75, heals: "by-itself", meaning: "the version server answers with an error of its own" },
  "proxy-unreachable": {
    exit: 75,
    heals: "by-itself",
    meaning: "the HTTP CONNECT proxy cannot be reached, or cannot reach the server",
  },
  "ask-failed": { exit: 75, heals: "by-itself", meaning: "the asking half ended without an answer" },
  "not-offered": { exit: 75, heals: "by-itself", meaning: "no package repository offers the served version" },
  "refresh-failed": { exit: 75, heals: "by-itself", meaning: "the package lists could not be refreshed" },
  "download-failed": { exit: 75, heals: "by-itself", meaning: "the package could not be downloaded" },
  "manager-busy": { exit: 75, heals: "by-itself", meaning: "another program holds the package manager's lock" },
  "no-space": { exit: 75, heals: "by-itself", meaning: "a file system has too little room for the package" },
  stopping: { exit: 75, heals: "by-itself", meaning: "the pass was asked to stop before it could start the next step" },

  "not-permitted": { exit: 77, heals: "by-hand", meaning: "this needs root, or a file that only root can read" },

  "settings-invalid": { exit: 78, heals: "by-hand", meaning: "a setting is wrong" },
  "settings-untrusted": {
    exit: 78,
    heals: "by-hand",
    meaning: "a settings file could have been written by somebody other than root",
  },
  "endpoint-missing": { exit: 78, heals: "by-hand", meaning: "no endpoint is configured" },
  "proxy-invalid": { exit: 78, heals: "by-hand", meaning: "a proxy variable is not a usable proxy" },
  "trust-store-missing": { exit: 78, heals: "by-hand", meaning: "no certificate store was found for https" },
  "ca-file-unusable": { exit: 78, heals: "by-hand", meaning: "the configured ca_file cannot be used" },
  "host-unsupported": { exit: 78, heals: "by-hand", meaning: "this host lacks something the updater needs" },

  "install-failed": { exit: 11, heals: "by-itself", meaning: "the package manager could not install the version" },
  "verify-failed": {
    exit: 11,
    heals: "by-itself",
    meaning: "after the installation the package or its binary is not the version asked for",
  },
  "activate-failed": { exit: 11, heals: "by-itself", meaning: "the agent could not be made to run the new version" },
  unhealthy: { exit: 11, heals: "by-itself", meaning: "the agent runs the new version and is not healthy" },

  bug: { exit: 70, heals: "by-hand", meaning: "a fault of svc-upgrade itself" },
};
