import { chmodSync, lstatSync, mkdirSync, rmSync, type Stats } from "node:fs";
import type { Server } from "node:http";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { errnoOf, errnoWords } from "../../machine/files/errno.ts";
import { shellWord } from "../../rules/text/shell-word.ts";

/** The path of the socket for root's programs on the auth host. */
export function rootSocketPath(dataDirectory: string): string {
  return join(dataDirectory, "root", "auth.sock");
}

/** The kernel's limit for a socket's path. */
const longestPathBytes = 107;
const connectMs = 2000;

/**
 * Makes the socket's directory private first, because auth takes everybody who can open the socket for root. Removes the socket of a dead process,
 * never one in use.
 */
export async function listenForRoot(server: Server, path: string): Promise<void> {
  const bytes = Buffer.byteLength(path);
  if (bytes > longestPathBytes) {
    throw new Fault("configuration-invalid", {
      message: `the path of root's socket, ${path}, has ${bytes} bytes, and the system takes at most ${longestPathBytes}`,
      hint: "choose a shorter data_dir",
    });
  }
  makePrivate(dirname(path));
  await makeRoom(path);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(notListening(path, error)));
    server.listen({ path }, resolve);
  });
  chmodSync(path, 0o600);
}

function makePrivate(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (thrown) {
    if (errnoOf(thrown) !== "EEXIST") throw notListening(directory, thrown);
  }
  const found = lstatSync(directory);
  const wrong = wrongWith(found);
  if (wrong === undefined) return;
  throw new Fault("configuration-invalid", {
    message: `${directory} ${wrong}, and everybody who gets into it is root to auth`,
    hint: `see what it is, \`ls -ld ${shellWord(directory)}\`, move it away, and start again: auth makes a new one`,
  });
}

function wrongWith(found: Stats): string | undefined {
  if (found.isSymbolicLink()) return "is a symbolic link";
  if (!found.isDirectory()) return "is no directory";
  if (found.uid !== process.geteuid?.()) return `belongs to user ${found.uid}`;
  if ((found.mode & 0o077) !== 0) return `is open to others (mode ${(found.mode & 0o777).toString(8)})`;
  return undefined;
}

async function makeRoom(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw new Fault("configuration-invalid", {
      message: `${path} is there, and is no socket`,
      hint: `move it away: \`sudo mv ${shellWord(path)} ${shellWord(`${path}.old`)}\``,
    });
  }
  if (await isServed(path)) {
    throw new Fault("store-in-use", {
      message: `another auth service answers at ${path}`,
      hint: "one auth service for a data_dir: `systemctl status svc` shows the one that runs",
    });
  }
  rmSync(path, { force: true });
}

/** A process that does not answer in time is still alive. */
function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = connect({ path });
    const done = (served: boolean): void => {
      asking.destroy();
      resolve(served);
    };
    asking.setTimeout(connectMs, () => done(true));
    asking.once("connect", () => done(true));
    asking.once("error", (error) => done(errnoOf(error) !== "ECONNREFUSED" && errnoOf(error) !== "ENOENT"));
  });
}

function notListening(path: string, thrown: unknown): Fault {
  return new Fault("configuration-invalid", {
    message: `root's socket cannot be made at ${path}: ${errnoWords(thrown)}`,
    hint: `data_dir has to be a directory that the service may write to: \`ls -ld ${shellWord(dirname(dirname(path)))}\``,
    cause: thrown,
  });
}
