import { pathsBelow } from "../../../src/machine/files/paths.ts";
import type { Case } from "./play.ts";

const run = "/run/svc-upgrade";
const state = "/var/lib/svc-upgrade-decide";
const proxies = pathsBelow("/").passProxies;
const asked = `printf '{"schema":1,"at":%s,"asked":{"when":"now","absent":"install"}}\\n'`;
/** The pass itself can remove none. */
const anew = `rm -f ${run}/asked.json`;
const outside = /outside the maintenance window/;

function unlocked(title: string, make: string, [status, says]: readonly [number, RegExp]): Case {
  return { title, make: `rm ${state}/lock; ${make}`, status, says };
}

const unusable = [73, /lock could not be opened for locking/] as const;

function forgotten(title: string, make: string, why: string): Case {
  return {
    title,
    make: `cd ${state}; ${make}`,
    status: 0,
    says: new RegExp(`the state file was unreadable \\(${why}\\)[^]*svc-upgrade retry`),
  };
}

/** What only root, or a broken disk, can put into the updater's own directories. */
export const remains: readonly Case[] = [
  {
    title: "an order of five minutes ago",
    make: `${anew}; ${asked} $(($(date +%s) - 300)) >${run}/asked.json`,
    status: 0,
    says: outside,
  },
  {
    title: "an order of another user's",
    make: `${anew}; ${asked} $(date +%s) >${run}/asked.json; chown ordinary ${run}/asked.json`,
    status: 0,
    says: outside,
  },
  {
    title: "an order with a second name",
    make: `${anew}; ${asked} $(date +%s) >${run}/o; ln ${run}/o ${run}/asked.json`,
    status: 0,
    says: outside,
  },
  { title: "an order that is a named pipe", make: `${anew}; mkfifo ${run}/asked.json`, status: 0, says: outside },
  { title: "an order that is a link", make: `${anew}; ln -s /etc/shadow ${run}/asked.json`, status: 0, says: outside },
  { title: "an order of more than a few bytes", make: `${anew}; truncate -s 1G ${run}/asked.json`, status: 0, says: outside },
  {
    title: "proxies that are a link",
    make: `ln -sf /etc/passwd ${proxies}`,
    status: 0,
    says: outside,
  },
  { title: "proxies that are a named pipe", make: `rm ${proxies}; mkfifo ${proxies}`, status: 0, says: outside },
  unlocked("a lock that is a named pipe", `mkfifo ${state}/lock; chown svc-upgrade: ${state}/lock`, [
    78,
    /lock is not used as a lock: it is no file/,
  ]),
  unlocked("a lock that is root's", `mkfifo ${state}/lock`, [77, /lock could not be opened for locking: permission denied/]),
  unlocked("a lock that is a link", `ln -s /etc/passwd ${state}/lock`, unusable),
  unlocked("a lock that is a directory", `mkdir ${state}/lock`, unusable),
  unlocked("a lock with a second name", `touch ${state}/l; chown svc-upgrade: ${state}/l; ln ${state}/l ${state}/lock`, [
    78,
    /lock is not used as a lock: it has another name/,
  ]),
  forgotten("a state that is a named pipe", "rm state.json; mkfifo state.json", "it is a named pipe"),
  forgotten("a state that is a link", "ln -sf /etc/shadow state.json", "it is a symbolic link"),
  forgotten("a state of gigabytes", "truncate -s 6G state.json", "it is larger than \\d+ bytes"),
  forgotten("a state that is a directory", "rm state.json; mkdir state.json", "it is a directory"),
  forgotten("half of a state", "truncate -s 700 state.json", "it is not JSON"),
];
