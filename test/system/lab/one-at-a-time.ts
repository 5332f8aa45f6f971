import { spawn } from "node:child_process";
import { once } from "node:events";

/** Others may be at the same long work before us. */
const longestWaitSeconds = 600;

/** Does it while nobody else on this machine is at what that file stands for; a lock ends with its process, however that ends. */
export async function oneAtATime<Made>(file: string, act: () => Promise<Made>): Promise<Made> {
  const argv = [`--timeout=${longestWaitSeconds}`, file, "sh", "-c", "echo held; exec cat"];
  const holder = spawn("flock", argv, { stdio: ["pipe", "pipe", "inherit"] });
  const isOver = once(holder, "close");
  try {
    const held = await Promise.race([once(holder.stdout, "data"), isOver.then(() => undefined)]);
    if (held === undefined) throw new Error(`${file} was locked for ${longestWaitSeconds} seconds`);
    return await act();
  } finally {
    holder.stdin.end();
    await isOver;
  }
}
