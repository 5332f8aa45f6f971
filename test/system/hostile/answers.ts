import type { Case } from "./play.ts";
import { planted } from "./play.ts";

const dropIn = "/etc/systemd/system/svc-upgrade-ask.service.d/taken-over.conf";

/** What every script of a taken-over asking unit can use. */
const known = `
cd /run/svc-upgrade-ask
pass=$(sed -n 's/.*"pass": "\\(.*\\)".*/\\1/p' /run/svc-upgrade/request.json)
now=$(date +%s)
answer() { printf '{"pass":"%s","at":%s,"answer":%s}' "$1" "$2" "$3"; }
served() { printf '{"kind":"served","served":{"kind":"version","version":"%s"},"isCritical":true}' "$1"; }
`;

/** The asking unit, in its sandbox, runs a script of somebody else's. */
function takenOver(script: string, settings: string = ""): string {
  return `mkdir -p /opt "$(dirname ${dropIn})"
cat >/opt/taken-over.sh <<'SCRIPT'${known}${script}
SCRIPT
printf '[Service]\\nExecStart=\\nExecStart=/bin/sh /opt/taken-over.sh\\n${settings}' >${dropIn}
systemctl daemon-reload`;
}

export const release: string = `rm ${dropIn} && systemctl daemon-reload && systemctl reset-failed`;

/** It writes until it is refused, hides what it can, and leads elsewhere. */
export const litter: string = takenOver(`
head -c 1000000000 /dev/zero >big
mkdir -p closed/inner; echo 1 >closed/inner/secret; chmod 0 closed
ln -s /etc elsewhere; mkfifo pipe
rm -f answer.json; mkdir -p answer.json/inner; chmod 0 answer.json .
exit 1`);

function refused(title: string, script: string, why: string): Case {
  return { title, make: takenOver(script), status: 65, says: new RegExp(`answer\\.json cannot be used: ${why}`) };
}

const good = '"$(answer $pass $now "$(served 15.4.6)")"';

/** What whoever has taken over the asking unit can answer, and leave behind. The pass after it is asked by the shipped program. */
export const answers: readonly Case[] = [
  refused(
    "the answer to another pass",
    'answer 11111111-1111-1111-1111-111111111111 $now "$(served 15.4.6)" >answer.json',
    "it answers the pass",
  ),
  refused("the answer to the pass before, once more", "exit 0", "it answers the pass"),
  refused("an answer of long ago", 'answer $pass 1000 "$(served 15.4.6)" >answer.json', "it was written \\d+ seconds ago"),
  refused(
    "an answer of the future",
    'answer $pass $((now + 9999)) "$(served 15.4.6)" >answer.json',
    "it was written \\d+ seconds in the future",
  ),
  refused("a link to root's secrets", "ln -sf /etc/shadow answer.json", "it is a symbolic link"),
  refused("a named pipe", "rm answer.json; mkfifo answer.json", "it is a named pipe"),
  refused("an answer with a second name", `rm answer.json; echo ${good} >other; ln other answer.json`, "it has 2 names"),
  refused("an answer that everyone may write", `echo ${good} >answer.json; chmod 0666 answer.json`, "others may write it"),
  refused("more than an answer", "truncate -s 32K answer.json", "it is larger than 4096 bytes"),
  {
    title: "gigabytes",
    make: takenOver("truncate -s 3G answer.json"),
    status: 75,
    says: /svc-upgrade-ask\.service ended without an answer/,
  },
  refused(
    "a directory that nobody may enter",
    "rm answer.json; mkdir -p answer.json/inner; chmod 0 answer.json .",
    "it is a directory",
  ),
  refused(
    "a version for a shell",
    `answer $pass $now "$(served '1.0.0;touch ${planted}')" >answer.json`,
    ".*not a semantic version",
  ),
  refused(
    "a version that is an option",
    "answer $pass $now \"$(served '-oDPkg::Pre-Invoke=x')\" >answer.json",
    ".*not a semantic version",
  ),
  refused(
    "a fault with a code of its own",
    'answer $pass $now \'{"kind":"fault","fault":{"code":"evil","message":"m","hint":"h","causes":[]}}\' >answer.json',
    "answer.fault.code is not a word known here",
  ),
  {
    title: "a fault that would write on a terminal",
    make: takenOver(
      'answer $pass $now \'{"kind":"fault","fault":{"code":"channel-unknown","message":"\\u001b[2Jgone","hint":"h","causes":[]}}\' >answer.json',
    ),
    status: 69,
    says: /gone; h fault=channel-unknown/,
  },
  {
    title: "a critical version that nobody offers",
    make: takenOver('answer $pass $now "$(served 15.9.9)" >answer.json'),
    status: 75,
    says: /no repository of this host offers svc-ent 15\.9\.9/,
  },
  {
    title: "a critical version that is older",
    make: takenOver('answer $pass $now "$(served 15.4.4)" >answer.json'),
    status: 0,
    says: /15\.4\.5 > 15\.4\.4.*downgrade-refused/,
  },
  {
    title: "no answer, and a core",
    make: takenOver("kill -SEGV $$"),
    status: 75,
    says: /svc-upgrade-ask\.service ended without an answer/,
  },
  {
    title: "no end",
    make: takenOver("sleep 1000", "TimeoutStartSec=2s\\n"),
    status: 75,
    says: /svc-upgrade-ask\.service ended without an answer/,
  },
  {
    title: "a child that stays behind, to change the answer while it is read",
    make: takenOver(`rm -f answer.json
(setsid sh -c 'while :; do rm -f answer.json; ln -s /etc/shadow answer.json; done' &)
sleep 0.2`),
    status: 65,
    says: /answer\.json cannot be used/,
  },
];
