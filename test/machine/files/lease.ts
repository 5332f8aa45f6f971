import { spawn } from "node:child_process";

/**
 * F_SETLEASE and F_WRLCK on each file that is named. Whoever opens one then waits for up to 45 seconds, unless it says that it does
 * not want to.
 */
export const leaseProgram: string =
  '$SIG{IO} = "IGNORE"; for (@ARGV) { open my $file, "<", $_ or die; fcntl $file, 1024, 1 or die $!; push @held, $file } ' +
  '$| = 1; print "held"; sleep';

/** Does something while another process has a lease on that file. */
export async function underLease<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  const holder = spawn("perl", ["-e", leaseProgram, path], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => holder.once("exit", resolve));
  try {
    await new Promise((resolve, reject) => {
      holder.stdout.once("data", resolve);
      holder.once("exit", () => reject(new Error("there is no lease")));
    });
    return await work();
  } finally {
    holder.kill("SIGKILL");
    await ended;
  }
}
