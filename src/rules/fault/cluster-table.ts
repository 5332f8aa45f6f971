import type { FaultRow } from "./table.ts";

/** Faults of the cluster's programs (svc, tctl, tsh). Auth answers with some of them, and its callers pass them on. Statuses follow sysexits.h. */
const rows = {
  "resource-invalid": {
    exit: 65,
    heals: "by-hand",
    meaning: "a resource is not what its kind should be",
    remedy: "correct the lines that the message names",
  },
  "request-refused": {
    exit: 65,
    heals: "by-hand",
    meaning: "auth was sent something that it does not take",
    remedy: "what the message names",
  },
  "token-unusable": {
    exit: 65,
    heals: "by-hand",
    meaning: "the file that --token names holds no token",
    remedy: "put the one line that `tctl tokens add` printed into a file of its own",
  },
  "password-unusable": {
    exit: 65,
    heals: "by-hand",
    meaning: "a password or a one-time code is missing, or the file that holds it is open to others",
    remedy: "type it on a terminal; or `--password-file -`, with the password and the code on a line each",
  },
  "backup-invalid": {
    exit: 65,
    heals: "by-hand",
    meaning: "the file is no whole backup of a cluster",
    remedy: "take an older backup; the file ends with its own digest, and what was cut off is not put back",
  },
  "resource-missing": {
    exit: 69,
    heals: "by-hand",
    meaning: "there is nothing of that kind and name",
    remedy: "`tctl get KIND` shows what there is",
  },
  "provider-failed": {
    exit: 69,
    heals: "by-hand",
    meaning: "the identity provider of a connector does not answer, or not as it should",
    remedy: "try again; if it stays, check the connector: `tctl get oidc,github`; auth's log says more",
  },
  "auth-mismatch": {
    exit: 69,
    heals: "by-hand",
    meaning: "the server is not this cluster's auth service: its key has another pin, or it is of another cluster",
    remedy: "`tctl status` on the auth host shows the pin; is a proxy or another cluster at this address?",
  },
  "certificate-refused": {
    exit: 69,
    heals: "by-hand",
    meaning: "the certificate of the cluster's proxy, or of an https proxy on the way, is not trusted: nothing was sent",
    remedy: "where its authority is your own: `tsh login --ca-file FILE`; where not, something in between answers for it",
  },
  "resource-exists": {
    exit: 73,
    heals: "by-hand",
    meaning: "something of that kind and name is there already",
    remedy: "`tctl create -f FILE` replaces it",
  },
  "resource-overtaken": {
    exit: 73,
    heals: "by-hand",
    meaning: "somebody has changed it since it was read",
    remedy: "read it again with `tctl get KIND/NAME`, and make the change there",
  },
  "auth-failed": {
    exit: 70,
    heals: "by-hand",
    meaning: "auth failed in a way that it does not know",
    remedy: "report it with the lines of `journalctl -u svc` around it",
  },
  "store-unreadable": {
    exit: 74,
    heals: "by-hand",
    meaning: "the cluster's store is damaged; nothing was written to it",
    remedy: "`tctl restore FILE` puts a backup back, and keeps the damaged store beside it",
  },
  "store-failed": {
    exit: 74,
    heals: "by-hand",
    meaning: "the cluster's store could not be read or written",
    remedy: "what the message names",
  },
  "rollout-stopped": {
    exit: 69,
    heals: "by-hand",
    meaning: "the rollout that is watched has halted, or was undone",
    remedy:
      "`tctl rollout status CHANNEL` names the hosts that failed; then `tctl rollout undo CHANNEL`, or `resume`, or a new target",
  },
  "rollout-unfinished": {
    exit: 75,
    heals: "by-itself",
    meaning: "the rollout that is watched is not done within `--timeout`",
    remedy: "watch it again; `tctl rollout status CHANNEL` says what it waits for",
  },
  "store-full": {
    exit: 75,
    heals: "by-itself",
    meaning: "the file system of the cluster's store has no room left; nothing of the change was made",
    remedy: "free space on the file system that the message names: `df -h PATH`, and `df -i PATH` where it has no inode left",
  },
  "auth-unreachable": {
    exit: 75,
    heals: "by-itself",
    meaning: "the auth service does not answer",
    remedy: "`systemctl status svc` on the auth host; where it has another address now, `svc join` with that one",
  },
  "clock-differs": {
    exit: 75,
    heals: "by-itself",
    meaning: "by this host's clock the certificate of auth is not valid: one of the two clocks is wrong",
    remedy: "`timedatectl` shows this host's clock, and whether it is synchronised; the same on the auth host",
  },
  "auth-busy": {
    exit: 75,
    heals: "by-itself",
    meaning: "the auth service has too much to do at present",
    remedy: "nothing; it says when to ask again",
  },
  "rotation-unfinished": {
    exit: 75,
    heals: "by-itself",
    meaning: "not everybody has seen the newer certificate authority yet, and would be left behind without the older",
    remedy: "try again later: `tctl ca rotate`; with `--force` those that are named join again",
  },
  "store-in-use": {
    exit: 75,
    heals: "by-hand",
    meaning: "another process has the cluster's store open, or runs with its data_dir",
    remedy: "one svc for a data_dir: `systemctl status svc` shows the one that runs",
  },
  "sign-in-refused": {
    exit: 77,
    heals: "by-hand",
    meaning:
      "user, password and one-time code do not fit together (auth does not say which), or a connector gives this person no role",
    remedy:
      "type them again; if one of them is lost, an administrator types `tctl users reset USER`; for a connector, what the message names",
  },
  "session-ended": {
    exit: 77,
    heals: "by-hand",
    meaning: "the session is over: its time was up, it was removed, or its user has been removed or reset",
    remedy: "`tsh login`",
  },
  "proof-refused": {
    exit: 77,
    heals: "by-hand",
    meaning: "a call's proof is not believed: by another key, of another call, used before, or made by a clock that is wrong",
    remedy: "`tsh login`; is this computer's clock right?",
  },
  "not-signed-in": {
    exit: 77,
    heals: "by-hand",
    meaning: "nobody has signed in here, and root's socket is not here either",
    remedy: "`tsh login --proxy=HOST --user=NAME`; on the auth host `sudo tctl`",
  },
  "access-denied": {
    exit: 77,
    heals: "by-hand",
    meaning: "the caller's roles do not allow it",
    remedy: "root can on the auth host: the message says what to type there",
  },
  "identity-refused": {
    exit: 77,
    heals: "by-hand",
    meaning: "the certificate is not one that auth takes: forged, expired, of an instance that was removed, or of the wrong kind",
    remedy: "`tctl instances ls` on the auth host; then join again with `svc join`",
  },
  "join-refused": {
    exit: 77,
    heals: "by-hand",
    meaning: "the token is unknown, expired, used up or for another kind of instance",
    remedy: "`tctl tokens add --type=node` on the auth host makes a new one",
  },
  "invitation-refused": {
    exit: 77,
    heals: "by-hand",
    meaning: "the link is unknown, expired, or was used",
    remedy: "ask for a new one: `tctl users reset USER`",
  },
  "not-joined": {
    exit: 78,
    heals: "by-hand",
    meaning: "this host has not joined a cluster",
    remedy: "`svc join --auth-server HOST:PORT --token FILE --ca-pin PIN`",
  },
  "joined-elsewhere": {
    exit: 78,
    heals: "by-hand",
    meaning: "this host has joined another cluster",
    remedy: "`svc join --replace` leaves that one",
  },
  "identity-unreadable": {
    exit: 78,
    heals: "by-hand",
    meaning: "this host's identity in the cluster cannot be read",
    remedy: "`svc join --replace` makes a new one",
  },
  "store-newer": {
    exit: 78,
    heals: "by-hand",
    meaning: "the cluster's store was written by a later major release",
    remedy: "install that release again; a store never goes back over a major",
  },
  "profile-unusable": {
    exit: 78,
    heals: "by-hand",
    meaning: "what signing in has left in ~/.svc cannot be used: others may read or write it, or it cannot be read",
    remedy: "what the message says; or `tsh logout`, and `tsh login` again",
  },
  "configuration-invalid": {
    exit: 78,
    heals: "by-hand",
    meaning: "/etc/svc.yaml is wrong",
    remedy: "`svc check` names every fault",
  },
  stopped: {
    exit: 130,
    heals: "by-hand",
    meaning: "it was stopped at the keyboard before anything was changed",
    remedy: "nothing; type it again",
  },
} as const satisfies Readonly<Record<string, FaultRow>>;

export type ClusterFaultCode = keyof typeof rows;

export const clusterFaultTable: Readonly<Record<ClusterFaultCode, FaultRow>> = rows;
