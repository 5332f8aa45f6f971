import type { Host } from "./host.ts";
import { until } from "./until.ts";

export type Witness = {
  /** What it saw since its start, each once: "argument TEXT", "file MODE PATH". */
  readonly tell: () => Promise<readonly string[]>;
};

/** A pass starts some fifteen programs in a second; the quickest of them lives for a few milliseconds. */
const script = `use strict; use Fcntl ":mode";
my ($watched, $told) = @ARGV; my %seen; open(my $out, ">", $told) or die; $out->autoflush(1);
sub note { my $line = shift; $line =~ s/\\n/ /g; print $out "$line\\n" unless $seen{$line}++; }
note("ready");
while (1) {
  opendir(my $processes, "/proc") or die;
  for my $pid (grep { /^\\d+$/ } readdir $processes) {
    open(my $in, "<", "/proc/$pid/cmdline") or next; local $/; my $words = <$in>; next unless length($words // "");
    $words =~ tr/\\0/ /; note("argument $words");
  }
  for my $path (glob("$watched/*")) { my @stat = lstat($path) or next; note(sprintf("file %04o %s", S_IMODE($stat[2]), $path)); }
  select(undef, undef, undef, 0.002);
}
`;

const told = "/root/witness.told";

/** Looks at the arguments of every process, and at the files of one folder, again and again. */
export async function startWitness(host: Host, folder: string): Promise<Witness> {
  await host.write("/root/witness.pl", script);
  await host.mustRun(["systemd-run", "--quiet", "--unit=witness", "perl", "-MIO::Handle", "/root/witness.pl", folder, told]);
  const read = async (): Promise<readonly string[]> => {
    const { stdout } = await host.enter(["cat", told]);
    return stdout.split("\n").filter((line) => line !== "");
  };
  await until("the witness to look", 10_000, async () => ((await read()).includes("ready") ? true : undefined));
  return { tell: read };
}
