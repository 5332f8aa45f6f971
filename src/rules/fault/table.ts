/** How a fault ends a run, and what ends the fault. */
export type FaultRow = {
  readonly exit: number;
  /** "by-itself": the fault may be gone at a later pass, so the timer simply tries again. */
  readonly heals: "by-itself" | "by-hand";
  readonly meaning: string;
  /** The first thing to do. */
  readonly remedy: string;
};

/**
 * Faults of hosts, some of which other programs share. docs/reasons-and-faults.md shows this table. Statuses follow sysexits.h; 11 means that a move
 * failed.
 */
const rows = {
  usage: {
    exit: 64,
    heals: "by-hand",
    meaning: "the command line cannot be understood",
    remedy: "`svc-upgrade --help`, `svc-upgrade COMMAND --help`",
  },

  "answer-invalid": {
    exit: 65,
    heals: "by-hand",
    meaning: "the version server answered something that is not a version, or what is made for another host",
    remedy: "`svc-upgrade doctor` shows what came; is `endpoint` the cluster's, or a log-in page or a cache before it?",
  },
  "redirect-refused": {
    exit: 65,
    heals: "by-hand",
    meaning: "the version server redirects too often, or from https to http",
    remedy:
      "`svc-upgrade doctor` shows the redirect; correct it on the server if it leads in a circle or to plain http, else set `endpoint` to where the server really is",
  },
  "hand-over-invalid": {
    exit: 65,
    heals: "by-hand",
    meaning: "what one unit of the updater handed to another is not what it should be",
    remedy: "`journalctl -u svc-upgrade-ask -u svc-upgrade-act`",
  },

  "channel-unknown": {
    exit: 69,
    heals: "by-hand",
    meaning: "the version server does not know the channel",
    remedy: "`svc-upgrade config` shows the channel; set `channel` to one that the cluster has",
  },
  "channel-refused": {
    exit: 69,
    heals: "by-hand",
    meaning: "the version server refuses to answer this host",
    remedy: "`svc-upgrade doctor`; ask the cluster's administrator why this host is refused",
  },
  "tls-untrusted": {
    exit: 69,
    heals: "by-hand",
    meaning: "the certificate of the version server or of an https proxy is not trusted",
    remedy: "`svc-upgrade doctor` shows the certificate; set `ca_file` where the cluster has a CA of its own",
  },
  "proxy-refused": {
    exit: 69,
    heals: "by-hand",
    meaning: "the HTTP CONNECT proxy refuses the tunnel, or is no proxy",
    remedy:
      "`svc-upgrade doctor` shows what the proxy said; let it allow the host and port, or see to the password in the agent's environment file (`/etc/default/svc`, or `agent.environment_file`)",
  },
  "contact-lost": {
    exit: 69,
    heals: "by-hand",
    meaning: "the version server has not been reached for 24 hours",
    remedy: "`svc-upgrade doctor` shows the hop that is broken",
  },
  "package-absent": {
    exit: 69,
    heals: "by-hand",
    meaning: "the agent's package is not installed",
    remedy: "install the agent, or `svc-upgrade run --now --install`",
  },
  "package-unreadable": {
    exit: 69,
    heals: "by-hand",
    meaning: "the installed package's version cannot be read as a semantic version",
    remedy: "`svc-upgrade config`: does `agent.package` name the agent's own package?",
  },
  "manager-unclear": {
    exit: 69,
    heals: "by-hand",
    meaning: "no package manager, or more than one, manages the agent's package",
    remedy: "set `manager` to the one that manages the agent's package",
  },
  "plan-refused": {
    exit: 69,
    heals: "by-hand",
    meaning: "the package manager would remove or change packages that are not ours",
    remedy: "run the package manager's simulation by hand and settle the conflict it shows",
  },
  "package-untrusted": {
    exit: 69,
    heals: "by-hand",
    meaning: "the package is not signed by a key that this host trusts",
    remedy: "give the host the repository's key; nothing unsigned is ever installed",
  },
  "package-mislabelled": {
    exit: 69,
    heals: "by-hand",
    meaning: "a file in a repository is another package than the repository's list says",
    remedy: "have the repository corrected: the message names the file, what it is and what it should be",
  },
  "database-broken": {
    exit: 69,
    heals: "by-hand",
    meaning: "another program left the package database unfinished",
    remedy: "what the message says, for dpkg `sudo dpkg --configure -a`",
  },
  "no-way-back": {
    exit: 69,
    heals: "by-hand",
    meaning: "there is no version to roll back to",
    remedy: "`svc-upgrade status` shows what the passes did",
  },
  "unhealthy-host": {
    exit: 69,
    heals: "by-hand",
    meaning: "doctor found something that keeps upgrades from working",
    remedy: "type the fixes that `svc-upgrade doctor` shows",
  },
  "state-unreadable": {
    exit: 69,
    heals: "by-hand",
    meaning: "the updater's state was unreadable and has been moved aside",
    remedy: "look at the file that was moved aside, then `svc-upgrade retry`",
  },

  "os-failed": {
    exit: 71,
    heals: "by-hand",
    meaning: "the operating system refused something that always works",
    remedy: "what the message names, and `journalctl -b`",
  },
  "state-unwritable": {
    exit: 73,
    heals: "by-hand",
    meaning: "the updater's state cannot be written",
    remedy:
      "free space in, or give back to its user: `/var/lib/svc-upgrade-decide` (`svc-upgrade`), `/var/lib/svc-upgrade` (root)",
  },
  "file-failed": { exit: 74, heals: "by-hand", meaning: "a file could not be read or written", remedy: "what the message names" },

  busy: {
    exit: 75,
    heals: "by-itself",
    meaning: "another pass is running",
    remedy: "nothing; to follow it: `journalctl -fu svc-upgrade`",
  },
  "channel-unreachable": {
    exit: 75,
    heals: "by-itself",
    meaning: "the version server cannot be reached",
    remedy: "`svc-upgrade doctor` shows the hop that is broken",
  },
  "channel-failing": {
    exit: 75,
    heals: "by-itself",
    meaning: "the version server answers with an error of its own",
    remedy: "ask the cluster's administrator; it is tried again by itself",
  },
  "proxy-unreachable": {
    exit: 75,
    heals: "by-itself",
    meaning: "the HTTP CONNECT proxy cannot be reached, or cannot reach the server",
    remedy: "`svc-upgrade doctor`, `svc-upgrade route`",
  },
  "ask-failed": {
    exit: 75,
    heals: "by-itself",
    meaning: "the asking unit ended without an answer",
    remedy: "`journalctl -u svc-upgrade-ask`; `systemctl status svc-upgrade-ask.socket`",
  },
  "proxies-unread": {
    exit: 75,
    heals: "by-itself",
    meaning: "the agent's environment file is one that reading could hang on, and which proxies it last held is not known",
    remedy:
      "put a regular file in the place of the agent's environment file (`/etc/default/svc`, or `agent.environment_file`), or none where no proxy is needed",
  },
  "not-offered": {
    exit: 75,
    heals: "by-itself",
    meaning: "no package repository offers the served version",
    remedy: "publish the version in one of the repositories that the hint names, or serve a version that is there",
  },
  "refresh-failed": {
    exit: 75,
    heals: "by-itself",
    meaning: "the package lists could not be refreshed",
    remedy: "run the package manager's own refresh, for apt `sudo apt-get update`",
  },
  "download-failed": {
    exit: 75,
    heals: "by-itself",
    meaning: "the package could not be downloaded",
    remedy: "`svc-upgrade route URL` for the repository's URL",
  },
  "manager-busy": {
    exit: 75,
    heals: "by-itself",
    meaning: "another program holds the package manager's lock",
    remedy: "wait, or end the program that the message names",
  },
  "no-space": {
    exit: 75,
    heals: "by-itself",
    meaning: "a file system has too little free space for the package",
    remedy: "free space on the file system that the message names: `df -h PATH`, and `df -i PATH` where it has no inode left",
  },
  "read-only": {
    exit: 75,
    heals: "by-itself",
    meaning: "a file system takes no writes, so the package could not be installed",
    remedy: "`findmnt --target /usr` shows why; once it can be written, a later pass goes on, and repairs what is half installed",
  },
  stopping: {
    exit: 75,
    heals: "by-itself",
    meaning: "the pass was asked to stop before it could start the next step",
    remedy: "nothing: the next pass goes on",
  },
  overtaken: {
    exit: 75,
    heals: "by-itself",
    meaning:
      "while the pass prepared, a hold or a pin was set, a pin was taken away, other settings were written, or too little was left of the window to begin",
    remedy:
      "nothing: a later pass goes on, in a window and without a hold; `svc-upgrade status` says when. Told again and again: what its message names",
  },
  interrupted: {
    exit: 75,
    heals: "by-itself",
    meaning: "the package manager was ended by a signal, or the host went down again and again while a move was carried out",
    remedy: "see in `journalctl -b` who ended it (short of memory?); the next pass tries again",
  },
  "not-kept": {
    exit: 75,
    heals: "by-itself",
    meaning: "the installed package could not be kept for a rollback, and the setting keep_previous requires that",
    remedy: "offer the installed version in a repository once more, or set `keep_previous: prefer`",
  },

  "not-permitted": {
    exit: 77,
    heals: "by-hand",
    meaning: "this needs root, or a file that only root can read",
    remedy: "`sudo`, or what the message says",
  },

  "settings-invalid": {
    exit: 78,
    heals: "by-hand",
    meaning: "a setting is wrong",
    remedy: "correct the file and key that the message names; `svc-upgrade config` checks",
  },
  "settings-untrusted": {
    exit: 78,
    heals: "by-hand",
    meaning: "a settings file could have been written by somebody other than root",
    remedy: "`chown root:root FILE && chmod go-w FILE`, once you have looked at what is in it",
  },
  "path-untrusted": {
    exit: 78,
    heals: "by-hand",
    meaning: "another user could redirect what is written there: by a link, or by a directory that is not root's",
    remedy: "`namei -l PATH` shows who owns what on the way; give it to root, or run this as the user it belongs to",
  },
  "mount-untrusted": {
    exit: 78,
    heals: "by-hand",
    meaning: "a file that is needed lies on a file system (FUSE) that another user serves: reading it may hang",
    remedy: "`umount --force --lazy` on the mount that the message names, and see who mounted it",
  },
  "endpoint-missing": {
    exit: 78,
    heals: "by-hand",
    meaning: "no endpoint is configured",
    remedy: "`svc-upgrade enroll --endpoint URL`",
  },
  "proxy-invalid": {
    exit: 78,
    heals: "by-hand",
    meaning: "a proxy variable is not a usable proxy",
    remedy:
      "correct the variable in the agent's environment file (`/etc/default/svc`, or `agent.environment_file`); `svc-upgrade route` checks",
  },
  "trust-store-missing": {
    exit: 78,
    heals: "by-hand",
    meaning: "no certificate store was found for https",
    remedy: "install the package `ca-certificates`",
  },
  "ca-file-unusable": {
    exit: 78,
    heals: "by-hand",
    meaning: "the configured ca_file cannot be used",
    remedy: "`svc-upgrade doctor`: the file must be one that everyone may read, with certificates in it",
  },
  "host-unsupported": {
    exit: 78,
    heals: "by-hand",
    meaning: "this host lacks something the updater needs",
    remedy: "what the message names",
  },

  "install-failed": {
    exit: 11,
    heals: "by-itself",
    meaning: "the package manager could not install the version",
    remedy: "`journalctl -u svc-upgrade` has what the package manager said; then serve a better version, or `svc-upgrade retry`",
  },
  "verify-failed": {
    exit: 11,
    heals: "by-itself",
    meaning: "after the installation the package or its binary is not the version asked for",
    remedy: "`journalctl -u svc-upgrade` has what the package manager said; then serve a better version, or `svc-upgrade retry`",
  },
  "activate-failed": {
    exit: 11,
    heals: "by-itself",
    meaning: "the agent could not be made to run the new version",
    remedy: "`systemctl status` and `journalctl -u` of the agent's unit; then serve a better version, or `svc-upgrade retry`",
  },

  unhealthy: {
    exit: 11,
    heals: "by-itself",
    meaning: "the agent runs the version that was installed, and is not well with it",
    remedy: "`journalctl -u` of the agent's unit; then serve a better version, or `svc-upgrade retry`",
  },
  "way-back-failed": {
    exit: 11,
    heals: "by-hand",
    meaning: "the version failed, and the rollback to the one before it failed too",
    remedy: "`svc-upgrade status` has both faults; repair the agent by hand, then `svc-upgrade retry`",
  },

  bug: {
    exit: 70,
    heals: "by-hand",
    meaning: "a fault of svc-upgrade itself",
    remedy: "report it with `journalctl -u svc-upgrade`",
  },
} satisfies Readonly<Record<string, FaultRow>>;

export type FaultCode = keyof typeof rows;
export const faultTable: Readonly<Record<FaultCode, FaultRow>> = rows;

export function isHostCode(code: string): code is FaultCode {
  return Object.hasOwn(rows, code);
}
