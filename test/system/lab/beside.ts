import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../../machine/network/fixture/free-port.ts";
import type { Host } from "./host.ts";
import { until } from "./until.ts";

/** Where a program beside a host keeps its files, and the port on the outer end of the host's network that is to be its own. */
export type Settled = { readonly directory: string; readonly port: number };

/** `outerTest` is what the program takes outer.test for: unless said, this machine's loopback, which no host reaches. */
export async function settleBeside(host: Host, name: string, outerTest: string = "127.0.0.1"): Promise<Settled> {
  const port = await freePort(host.network.outerAddress);
  const directory = join(host.directory, `${name}-${port}`);
  await mkdir(directory);
  // They give up being root before they open their logs.
  await chmod(directory, 0o777);
  await writeFile(join(directory, "hosts"), `127.0.0.1 localhost\n${outerTest} outer.test\n`);
  return { directory, port };
}

/** They are usually up within a tenth of a second. */
const longestStartMs = 15_000;

/**
 * A server for hosts that is no part of this process. In namespaces of its own: other names than the machine's, and a helper or a
 * child that outlives nobody. The answer ends it; it ends with the host at the latest.
 */
export async function runBeside(
  host: Host,
  { directory, port, argv }: Settled & { readonly argv: readonly string[] },
): Promise<() => Promise<void>> {
  // The shell stays, as the namespace's first process: with it everything in there ends. (A proxy that gives up being root is
  // no longer bound to the life of its parent.)
  // Squid shares memory by fixed names: what another one left on the machine, as another user, would keep it from starting.
  const inside = 'mount --bind "$1" /etc/hosts && mount -t tmpfs shm /dev/shm && shift && "$@"; exit $?';
  const output = await open(join(directory, "output"), "w");
  const child = spawn(
    "unshare",
    ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inside, "inside", join(directory, "hosts"), ...argv],
    // Nor can it go on in a checkout that only its owner may enter.
    { cwd: "/", stdio: ["ignore", output.fd, output.fd], env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } },
  );
  await output.close();
  const ended = once(child, "exit");
  const goDown = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    // Killing the namespace's first process is quick, but not at once: down means that the port is closed.
    await until(`${argv[0]} to be down`, longestStartMs, async () => ((await accepts(host, port)) ? undefined : true));
  };
  host.atStop(goDown);
  await until(`${argv[0]} to listen`, longestStartMs, async () => {
    if (child.exitCode !== null) throw new Error(`${argv[0]} ended:\n${await readFile(join(directory, "output"), "utf8")}`);
    return (await accepts(host, port)) ? true : undefined;
  });
  return goDown;
}

function accepts(host: Host, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host.network.outerAddress);
    socket.on("error", () => resolve(false));
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
