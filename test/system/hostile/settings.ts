import { pathsBelow } from "../../../src/machine/files/paths.ts";
import type { Case } from "./play.ts";

const fragment = "/etc/svc-upgrade/60-hostile.yaml";
const agentConfig = "/etc/svc.yaml";
const environment = "/etc/default/svc";

function refused(title: string, make: string, says: string): Case {
  return { title, make, status: 78, says: new RegExp(says) };
}

const untrusted = "settings are read only from files that root alone can write: /etc/svc-upgrade";

export const fragments: readonly Case[] = [
  refused("a fragment that is a named pipe", `mkfifo ${fragment}`, `${fragment}: it is a named pipe`),
  refused("a fragment that is a directory", `mkdir ${fragment}`, `${fragment}: it is a directory`),
  refused("a fragment that is a link", `ln -s /etc/shadow ${fragment}`, `${fragment}: it is a symbolic link`),
  refused("a fragment of gigabytes", `truncate -s 4G ${fragment}`, `${fragment}: it is larger than 65536 bytes`),
  refused("a fragment that is a device", `mknod ${fragment} c 1 5`, `${fragment}: it is not a regular file`),
  refused(
    "a fragment that a group may write",
    `touch ${fragment}; chmod 0664 ${fragment}`,
    `${untrusted}/60-hostile.yaml can be`,
  ),
  refused(
    "a fragment of the agent's user",
    `touch ${fragment}; chown ordinary ${fragment}`,
    `${untrusted}/60-hostile.yaml belongs to`,
  ),
  refused("a directory that everyone may write", "chmod 0777 /etc/svc-upgrade", `${untrusted} can be written by others`),
  refused("a directory of the agent's user", "chown ordinary /etc/svc-upgrade", `${untrusted} belongs to user 1000`),
  refused(
    "a pipe in the directory's place",
    "mv /etc/svc-upgrade /etc/away; mkfifo /etc/svc-upgrade",
    "/etc/svc-upgrade: not a directory",
  ),
];

/** The agent's own configuration, where nothing else names the endpoint. */
export const agentConfigs: readonly Case[] = [
  refused("a named pipe", `rm ${agentConfig}; mkfifo ${agentConfig}`, `${agentConfig}: it is a named pipe`),
  refused("a link to a device that never ends", `ln -sf /dev/zero ${agentConfig}`, `${agentConfig}: it is not a regular file`),
  refused("gigabytes", `truncate -s 5G ${agentConfig}`, `${agentConfig}: it is larger than 1048576 bytes`),
  refused("another file of root's", `ln -sf /etc/shadow ${agentConfig}`, "no endpoint is set"),
  refused(
    "few lines that would unfold to gigabytes",
    `{ echo 'a: &a [x,x,x,x,x,x,x,x,x]'; for n in b:a c:b d:c e:d f:e g:f; do k=\${n%:*} o=\${n#*:}; echo "$k: &$k [*$o,*$o,*$o,*$o,*$o,*$o,*$o,*$o,*$o]"; done; echo 'svc: {proxy_server: *g}'; } >${agentConfig}`,
    `${agentConfig}: Excessive alias count`,
  ),
  refused(
    "brackets without end",
    `perl -e 'print "svc: ", "[" x 300000, "\\n"' >${agentConfig}`,
    `a setting is wrong: ${agentConfig}`,
  ),
  refused(
    "another cluster, named by the agent's user",
    `printf 'proxy_server: evil.test:443\\n' >${agentConfig}; chown ordinary ${agentConfig}`,
    `${agentConfig}: a file that belongs to user 1000 .*svc-upgrade enroll`,
  ),
  refused(
    "another cluster, named by anybody",
    `chmod 0666 ${agentConfig}`,
    `${agentConfig}: a file that can be written by others`,
  ),
];

const outside = /outside the maintenance window/;

/** In the place of the agent's environment: what cannot be read, and why. */
const inTheWay: readonly (readonly [title: string, make: string, why: string])[] = [
  ["a named pipe that nobody writes to", `mkfifo ${environment}`, "it is a named pipe"],
  ["a directory", `mkdir ${environment}`, "it is a directory"],
  ["gigabytes", `truncate -s 2G ${environment}`, "it is larger than 65536 bytes"],
  ["a link to a device that never ends", `ln -s /dev/zero ${environment}`, "it is not a regular file"],
];

/** Where no pass is known to have read it: nothing is asked past the proxies that it may name. */
export const unread: readonly Case[] = inTheWay.map(([title, make, why]) => ({
  title,
  make: `rm -f ${pathsBelow("/").passProxies}; ${make}`,
  status: 75,
  says: new RegExp(`${environment} cannot be read, and which proxies it last held is not known: ${why}`),
}));

const last = "the agent's environment file cannot be read; the proxies that it last held count";

export const environments: readonly Case[] = [
  ...inTheWay.map(([title, make, why]) => ({
    title,
    make,
    status: 0,
    says: new RegExp(`${last} path=${environment} why="${why}"[^]*outside`),
  })),
  { title: "a link that leads nowhere", make: `ln -s /nowhere ${environment}`, status: 0, says: outside },
  { title: "a link to root's secrets", make: `ln -s /etc/shadow ${environment}`, status: 0, says: outside },
  {
    title: "a proxy that is none",
    make: `echo 'HTTP_PROXY=file:///etc/shadow' >${environment}; chown ordinary ${environment}`,
    status: 78,
    says: /its scheme is file/,
  },
];
