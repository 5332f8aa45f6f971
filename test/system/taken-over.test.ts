import { describe, expect, test } from "vitest";
import { release, takenOver } from "./hostile/answers.ts";
import { expectUpgrade, hostileHost, pass } from "./hostile/play.ts";
import { suites } from "./lab/base.ts";
import { scenario } from "./lab/scenario.ts";
import { withUpdater } from "./updater.ts";

/** It looks for a directory that takes a file, and for a file that takes a byte; what it found stands in the journal. */
const litter = takenOver(`
$SIG{XFSZ} = "IGNORE";
open my $dirs, "-|", "find / -path /proc -prune -o -type d -print 2>/dev/null" or die;
while (my $at = <$dirs>) {
  chomp $at;
  print STDERR "<4>made a file in $at\\n" if open my $file, ">", "$at/left";
}
for my $at (glob("/dev/* /run/*"), "/dev/shm/left", "/var/lib/svc-upgrade/ledger.json", "/var/lib/svc-upgrade-decide/state.json") {
  next unless -f $at and open my $file, ">>", $at;
  print STDERR "<4>wrote to $at\\n" if syswrite $file, "x";
}
my ($call, $name) = (\`uname -m\` =~ /x86_64/ ? 319 : 279, "left");
my $memory = syscall $call, $name, 0;
open my $file, ">&=", $memory if $memory >= 0;
print STDERR "<4>wrote to memory that counts as a file\\n" if $memory >= 0 and syswrite $file, "x";
print STDERR "<4>looked everywhere\\n";
exit 1;`);

describe.each(suites)("on %s", (suite) => {
  test(
    "a taken-over asking unit can leave nothing on the host",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      await hostileHost(stage);
      expect((await pass(host)).status).toBe(0);
      await host.mustRun(["sh", "-c", litter]);
      const { status, said } = await pass(host);
      expect([status, said]).toEqual([75, expect.stringContaining("looked everywhere")]);
      expect(said).not.toMatch(/made a file|wrote to/);
      expect(await host.mustRun(["find", "/tmp", "/var/tmp", "/run", "-name", "*svc-upgrade-ask.service*"])).toBe("");
      await host.mustRun(["sh", "-c", release]);
      await expectUpgrade(host);
    }),
  );
});
