import { spawn } from "node:child_process";

/** F_SETLEASE and F_WRLCK. Whoever opens the file then waits for up to 45 seconds, unless it says that it does not want to. */
export const leaseProgram =
  '$SIG{IO} = "IGNORE"; open my $file, "<", $ARGV[0] or die; fcntl $file, 1024, 1 or die $!; $| = 1; print "held"; sleep';

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
