import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { linesOf } from "../../../src/cluster/tsh/input-lines.ts";
import { main } from "../../../src/cluster/tsh/main.ts";
import type { Terminal } from "../../../src/cluster/tsh/terminal.ts";
import { password, startProxyOfCluster, type ProxyOfCluster } from "../session/cluster.ts";

export type Said = { readonly status: number; readonly out: string; readonly error: string };

export type Person = AsyncDisposable & {
  readonly home: string;
  readonly cluster: ProxyOfCluster;
  readonly proxy: string;
  readonly tsh: (argv: readonly string[], input?: string) => Promise<Said>;
  /** As alice, with the right password. */
  readonly signIn: (...argv: readonly string[]) => Promise<Said>;
};

/** The program as it is called; without a terminal, unless one is given. */
export async function said(
  argv: readonly string[],
  {
    home = "/nowhere",
    input = "",
    environment = {},
    terminal = () => undefined,
  }: {
    readonly home?: string;
    /** Or what is typed once something was said. */
    readonly input?: string | ((said: () => string) => AsyncGenerator<string>);
    readonly environment?: Readonly<Record<string, string>>;
    /** Knows what was said. */
    readonly terminal?: (said: () => string) => Terminal | undefined;
  } = {},
): Promise<Said> {
  let [out, error] = ["", ""];
  const status = await main({
    argv,
    self: [],
    environment: { HOME: home, ...environment },
    out: (text) => void (out += text),
    error: (text) => void (error += text),
    stopping: new AbortController().signal,
    terminal: () => Promise.resolve(terminal(() => out)),
    standardInput: () => Promise.resolve(linesOf(inPieces(typeof input === "string" ? input : input(() => out)))),
  });
  return { status, out, error };
}

async function* inPieces(input: string | AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  for await (const text of typeof input === "string" ? [input] : input) {
    for (let at = 0; at < text.length; at += 7) yield Buffer.from(text.slice(at, at + 7));
  }
}

export async function startPerson(environment: Record<string, string> = {}): Promise<Person> {
  const cluster = await startProxyOfCluster();
  const home = mkdtempSync(join(tmpdir(), "home-"));
  const proxy = `127.0.0.1:${cluster.port}`;
  const tsh = (argv: readonly string[], input = ""): Promise<Said> => said(argv, { home, input, environment });
  return {
    home,
    cluster,
    proxy,
    tsh,
    signIn: (...argv) =>
      tsh(
        ["login", `--proxy=${proxy}`, "--user=alice", `--ca-file=${cluster.caFile}`, "--password-file=-", ...argv],
        `${password}\n123456\n`,
      ),
    [Symbol.asyncDispose]: async () => {
      await cluster[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export function fileFor(person: Person, name: string, text: string, mode = 0o600): string {
  const path = join(person.home, name);
  writeFileSync(path, text, { mode });
  return path;
}

/** Tests of which each has a person for itself, who has not signed in. */
export const testPerson = test.extend("person", async () => {
  const person = await startPerson();
  onTestFinished(() => person[Symbol.asyncDispose]());
  return person;
});
