import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";

/** A command answered something else than the demo is there to show. */
export class Surprise extends Error {}

/** What has to come of a command: anything else is a surprise. */
export type Expected = { readonly says: RegExp; readonly status?: number };

/** The terminal of somebody who tries it: what is typed in one folder, and what is answered. */
export type Terminal = {
  /** A file as it was written by hand. */
  readonly write: (name: string, text: string) => void;
  /** One that is not shown: keys, and what is typed unseen. */
  readonly put: (name: string, text: string) => void;
  /** A command with its words, `< FILE` behind them where it reads that, and `> FILE` where its answer goes there. */
  readonly type: (line: string, expected: Expected) => Promise<string>;
  /** The same until it says what is expected: something that comes by itself. */
  readonly await: (line: string, expected: Expected) => Promise<void>;
  /** A command that runs on while others are typed; what it has said until then is shown. */
  readonly start: (line: string, expected: Expected) => Promise<void>;
  /** `kill %1`: ends what was started first in order, and shows what it has said since. */
  readonly stop: (line: string, expected: Expected) => Promise<void>;
  /** Whatever was typed: nothing runs on. */
  readonly close: () => Promise<void>;
};

export type Place = {
  readonly folder: string;
  /** The words before those of `svc`, `tctl` and `tsh`, which are one program; and before those of `svc-upgrade`. */
  readonly program: readonly string[];
  readonly updater: readonly string[];
  readonly stopping: AbortSignal;
};

/** Longer than anything takes on a machine that has other things to do. */
const longestMs = 300_000;
/** The same, of what comes within seconds. */
const longestComingMs = 60_000;
/** Each question starts a program, which costs more than the wait. */
const askAgainMs = 300;

export function openTerminal({ folder, program, updater, stopping }: Place): Terminal {
  const jobs: (Running | undefined)[] = [];
  // What people keep lies in their own folder.
  const env = {
    HOME: folder,
    PATH: process.env["PATH"] ?? "",
    ...(process.env["TZ"] === undefined ? {} : { TZ: process.env["TZ"] }),
    // Twenty commands from one source: it is compiled at the first of them.
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(folder, ".compiled"),
  };

  function judge(line: string, { said, status }: Answer, expected: Expected): void {
    const wanted = expected.status ?? 0;
    if (status !== wanted) throw new Surprise(`\`${line}\` ended with ${status}, not with ${wanted}`);
    if (!expected.says.test(said)) throw new Surprise(`\`${line}\` did not say ${expected.says}`);
  }

  const argvOf = (command: string): readonly string[] =>
    command.startsWith("svc-upgrade ") ? [...updater, ...command.split(" ").slice(1)] : [...program, ...wordsOf(command)];

  async function run(line: string): Promise<Answer & { readonly stdout: string; readonly file: string | undefined }> {
    const [reading = "", file] = line.split(" > ");
    const [command = "", from] = reading.split(" < ");
    const [path = "", ...words] = argvOf(command);
    const { all, stdout, exitCode } = await execa(path, words, {
      cwd: folder,
      reject: false,
      all: true,
      ...(from === undefined ? { stdin: "ignore" as const } : { inputFile: join(folder, from) }),
      extendEnv: false,
      env,
      timeout: longestMs,
      cancelSignal: stopping,
    });
    stopping.throwIfAborted();
    return { said: all, stdout, file, status: exitCode ?? -1 };
  }

  return {
    write: (name, text) => {
      writeFileSync(join(folder, name), text);
      console.log(`$ cat ${name}\n${text}`);
    },
    put: (name, text) => writeFileSync(join(folder, name), text, { mode: 0o600 }),
    type: async (line, expected) => {
      console.log(`$ ${line}`);
      const { said, stdout, file, status } = await run(line);
      if (file !== undefined) writeFileSync(join(folder, file), `${stdout}\n`);
      const answer = { said: file === undefined ? said : "", status };
      console.log(screenOf(answer));
      judge(line, file === undefined ? answer : { ...answer, said: stdout }, expected);
      return said;
    },
    await: async (line, expected) => {
      console.log(`$ ${line}`);
      const untilMs = Date.now() + longestComingMs;
      let answer = await run(line);
      while (!expected.says.test(answer.said) && Date.now() < untilMs) {
        await sleep(askAgainMs, undefined, { signal: stopping });
        answer = await run(line);
      }
      console.log(screenOf(answer));
      judge(line, answer, expected);
    },
    start: async (line, expected) => {
      console.log(`$ ${line} &`);
      const [path = "", ...words] = argvOf(line);
      const running = begin(spawn(path, words, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] }));
      jobs.push(running);
      const answer = await running.says(expected.says, stopping);
      console.log(screenOf(answer));
      judge(line, answer, expected);
    },
    stop: async (line, expected) => {
      console.log(`$ ${line}`);
      const job = Number(/%(\d+)$/.exec(line)?.[1]) - 1;
      const answer = (await jobs[job]?.end()) ?? { said: "", status: -1 };
      jobs[job] = undefined;
      console.log(screenOf(answer));
      judge(line, answer, expected);
    },
    close: async () => {
      await Promise.all(jobs.flatMap((job) => (job === undefined ? [] : [job.end()])));
    },
  };
}

type Answer = { readonly said: string; readonly status: number };

/** `tctl` is a word of the program, as `svc` is not. */
function wordsOf(command: string): readonly string[] {
  const [name, ...words] = command.split(" ");
  return name === "svc" ? words : [name ?? "", ...words];
}

function screenOf({ said, status }: Answer): string {
  const answered = said === "" ? "" : `${said}\n`;
  return status === 0 ? answered : `${answered}(exit status ${status})\n`;
}

type Running = {
  readonly says: (what: RegExp, stopping: AbortSignal) => Promise<Answer>;
  readonly end: () => Promise<Answer>;
};

const lookAgainMs = 20;

function begin(child: ChildProcess): Running {
  let [said, shown] = ["", 0];
  child.stderr?.on("data", (text: Buffer) => (said += text.toString("utf8")));
  const ended = once(child, "close");
  const news = (): string => {
    const unseen = said.slice(shown).trimEnd();
    shown = said.length;
    return unseen;
  };
  return {
    says: async (what, stopping) => {
      const untilMs = Date.now() + longestMs;
      while (!what.test(said) && child.exitCode === null && Date.now() < untilMs) {
        await sleep(lookAgainMs, undefined, { signal: stopping });
      }
      return { said: news(), status: child.exitCode ?? 0 };
    },
    end: async () => {
      child.kill("SIGTERM");
      const killing = setTimeout(() => child.kill("SIGKILL"), longestMs);
      await ended;
      clearTimeout(killing);
      return { said: news(), status: child.exitCode ?? -1 };
    },
  };
}
