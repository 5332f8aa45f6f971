import type { Case } from "./play.ts";
import { planted } from "./play.ts";

const file = "/etc/svc-upgrade.d/schedule";
const closed = 'now=$(date +%s); line="$((now + 7200)) $((now + 10800))"';

function refused(title: string, make: string, why: string): Case {
  return { title, make, by: "ordinary", status: 0, says: new RegExp(`no valid schedule: the file is not used: ${why}`) };
}

function made(title: string, make: string, says: RegExp): Case {
  return { title, make: `${closed}; ${make}`, by: "ordinary", status: 0, says };
}

const outside = /outside the maintenance window/;

/** What the agent's user can put in the place of the schedule. */
export const schedules: readonly Case[] = [
  refused("a link to root's secrets", `ln -sf /etc/shadow ${file}`, "it is a symbolic link"),
  refused("a link to a named pipe", `mkfifo /tmp/pipe; ln -sf /tmp/pipe ${file}`, "it is a symbolic link"),
  refused("a link that leads nowhere", `ln -sf /nowhere/at/all ${file}`, "it is a symbolic link"),
  refused("a link to itself", `ln -sf schedule ${file}`, "it is a symbolic link"),
  refused("a link to what the reader itself has open", `ln -sf /proc/self/fd/0 ${file}`, "it is a symbolic link"),
  refused("a named pipe that nobody writes to", `rm ${file}; mkfifo ${file}`, "it is a named pipe"),
  refused("a directory", `rm ${file}; mkdir ${file}`, "it is a directory"),
  refused(
    "a socket",
    `rm ${file}; perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Listen => 1, Local => "${file}") or die'`,
    "it is not a regular file",
  ),
  refused("eight gigabytes", `truncate -s 8G ${file}`, "it is larger than 65536 bytes"),
  refused("a second name of a file", `ln ${file} /etc/svc-upgrade.d/other`, "it has 2 names"),
  made(
    "the first half of a line",
    `printf '%s 17' "$((now + 7200))" >${file}`,
    /line 1 reads ".* 17": START must lie before STOP/,
  ),
  made("nothing, just now", `: >${file}`, /no valid schedule: the file is empty/),
  made("nothing, for a long time", `: >${file}; touch -d @1000 ${file}`, /no valid schedule: the file is empty/),
  made("bytes that are no text", `printf '\\377\\000\\033[2J' >${file}`, /line 1 reads "\P{Cc}+": expected START STOP/u),
  made("a date that has not come yet", `echo junk >${file}; touch -d 2099-01-01 ${file}`, /line 1 reads "junk"/),
  made("a remark for a shell", `echo "$line -> \\$(touch ${planted}); \\\`touch ${planted}\\\`" >${file}`, outside),
  made("numbers beyond all time", `echo "99999999998 99999999999" >${file}`, /expected START STOP/),
  made("rights for nobody", `echo "$line" >${file}; chmod 0 ${file}`, outside),
  made("rights for everybody", `echo "$line" >${file}; chmod 0666 ${file}; chmod 0777 /etc/svc-upgrade.d`, outside),
  // These its user cannot make; a mistake of root's can.
  { ...refused("a device that never ends", `rm ${file}; mknod -m 0666 ${file} c 1 5`, "it is not a regular file"), by: "root" },
  { ...refused("a disk", `rm ${file}; mknod -m 0666 ${file} b 7 0`, "it is not a regular file"), by: "root" },
  { ...refused("another name of root's secrets", `ln -f /etc/shadow ${file}`, "it has 2 names"), by: "root" },
  { ...made("another owner", `chown 4242:4242 ${file} /etc/svc-upgrade.d`, outside), by: "root" },
];

/** Puts one after another in its place, as fast as it can, for as long as it is left alone. */
export const restless: string = `
use IO::Handle;
my $now = time;
my $line = ($now + 7200) . " " . ($now + 10800) . "\\n";
chdir "/etc/svc-upgrade.d" or die;
sub put { open my $f, ">", "next" or die; print $f $_[0]; close $f; rename "next", "schedule" }
while (1) {
  put($line);
  put(substr($line, 0, 9));
  put("");
  open my $same, ">", "schedule"; $same->autoflush; print $same substr($line, 0, 15); truncate "schedule", 0; print $same "x" x 70000; close $same;
  symlink "/etc/shadow", "next"; rename "next", "schedule";
  unlink "next"; system "mkfifo", "next"; rename "next", "schedule";
  unlink "schedule";
}
`;
