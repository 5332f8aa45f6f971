import type { Case } from "./play.ts";
import { planted } from "./play.ts";

const dropIn = "/etc/systemd/system/svc-upgrade-ask.service.d/taken-over.conf";

/** What every script of a taken-over asking unit can use: whoever asks, the pass that it names, and how an answer looks. */
const known = `
use IO::Handle; use IO::Socket::UNIX;
sub accepted { my $asker = IO::Socket::UNIX->new_from_fd(3, "+<")->accept; $asker->autoflush; $asker }
sub answer { qq({"pass":"$_[0]","answer":$_[1]}) }
sub served { qq({"kind":"served","served":{"kind":"version","version":"$_[0]"},"isCritical":true}) }
`;
const asked = `
my $asker = accepted();
my ($pass) = <$asker> =~ /"pass":"([^"]+)"/;
`;

/** The asking unit, in its sandbox, runs a script of somebody else's. */
export function takenOver(script: string, settings: string = ""): string {
  return `mkdir -p /opt "$(dirname ${dropIn})"
cat >/opt/taken-over.pl <<'SCRIPT'${known}${script}
SCRIPT
printf '[Service]\\nExecStart=\\nExecStart=/usr/bin/perl /opt/taken-over.pl\\n${settings}' >${dropIn}
systemctl daemon-reload`;
}

export const release: string = `rm ${dropIn} && systemctl daemon-reload && systemctl reset-failed`;

function refused(title: string, line: string, why: string): Case {
  const says = new RegExp(`svc-upgrade-ask\\.service gave an answer that cannot be used: ${why}`);
  return { title, make: takenOver(`${asked}print $asker ${line};`), status: 65, says };
}

function silent(title: string, script: string, settings?: string): Case {
  return { title, make: takenOver(script, settings), status: 75, says: /svc-upgrade-ask\.service ended without an answer/ };
}

/** What whoever has taken over the asking unit can answer. The pass after it is asked by the shipped program. */
export const answers: readonly Case[] = [
  refused(
    "the answer to another pass",
    'answer("11111111-1111-1111-1111-111111111111", served("15.4.6")) . "\\n"',
    "it answers the pass",
  ),
  refused("nothing but an end of line", '"\\n"', "it is empty"),
  refused("a page", '"<html>\\n"', "it is not JSON"),
  refused("more than an answer", '"x" x 4097', "it is longer than 4096 bytes"),
  refused("more than an answer, in one line", '" " x 4097 . "\\n"', "it is longer than 4096 bytes"),
  refused("gigabytes", '"x" x 1000000 or exit 1 while 1', "it is longer than 4096 bytes"),
  refused("a version for a shell", `answer($pass, served('1.0.0;touch ${planted}')) . "\\n"`, ".*not a semantic version"),
  refused("a version that is an option", `answer($pass, served('-oDPkg::Pre-Invoke=x')) . "\\n"`, ".*not a semantic version"),
  refused(
    "a fault with a code of its own",
    `answer($pass, '{"kind":"fault","fault":{"code":"evil","message":"m","hint":"h","causes":[]}}') . "\\n"`,
    "answer.fault.code is not a word known here",
  ),
  {
    title: "a fault that would write on a terminal",
    make: takenOver(
      `${asked}print $asker answer($pass, '{"kind":"fault","fault":{"code":"channel-unknown","message":"\\u001b[2Jgone","hint":"h","causes":[]}}') . "\\n";`,
    ),
    status: 69,
    says: /gone; h fault=channel-unknown/,
  },
  {
    title: "a critical version that nobody offers",
    make: takenOver(`${asked}print $asker answer($pass, served("15.9.9")) . "\\n";`),
    status: 75,
    says: /no repository of this host offers svc-ent 15\.9\.9/,
  },
  {
    title: "a critical version that is older",
    make: takenOver(`${asked}print $asker answer($pass, served("15.4.4")) . "\\n";`),
    status: 0,
    says: /15\.4\.5 > 15\.4\.4.*downgrade-refused/,
  },
  silent("nothing, and an end before anybody was let in", "exit 1;"),
  silent("nothing, and a good end", `${asked}exit 0;`),
  silent("nothing, and a core", `${asked}kill "SEGV", $$; sleep 9;`),
  silent("half of an answer", `${asked}print $asker '{"pass":"';`),
  silent(
    "gigabytes, although nobody takes them any more",
    `${asked}while (1) { print $asker "x" x 1000000 }`,
    "TimeoutStartSec=2s\\n",
  ),
  silent("no end", "sleep 1000;", "TimeoutStartSec=2s\\n"),
  silent(
    "letters one by one, without end",
    `${asked}while (1) { print $asker "x"; select undef, undef, undef, 0.1 }`,
    "TimeoutStartSec=2s\\n",
  ),
  silent(
    "nothing, and a child that stays behind with the connection",
    `${asked}exit 0 if fork; $SIG{TERM} = "IGNORE"; sleep 1000;`,
    "TimeoutStopSec=1s\\n",
  ),
];
