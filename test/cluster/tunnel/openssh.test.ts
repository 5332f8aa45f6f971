import { spawn, type ChildProcess } from "node:child_process";
import { createPublicKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeKeyPair, type KeyPair } from "../../../src/cluster/identity/key.ts";
import { certifySsh, printSshKey, sshKeyOf, type SshCertificate } from "../../../src/cluster/identity/ssh.ts";
import type { Identity } from "../../../src/cluster/presence/identity.ts";
import { splice } from "../../../src/cluster/tunnel/splice.ts";
import { hasSsh, login, makeHostKey, startSshd } from "../../demo/cluster/shell.ts";
import { freePort } from "../../machine/network/fixture/free-port.ts";
import { isWhole } from "../../whole.ts";
import {
  at,
  makeEnds,
  makeInstances,
  nowSeconds,
  opened,
  resources,
  wireTo,
  type Accepting,
  type Ends,
  type Wire,
} from "./ends.ts";

if (!hasSsh()) console.warn("SKIPPED: shells through a tunnel: OpenSSH's client and server are not installed");

type Ended = { readonly status: number | null; readonly signal: string | null; readonly out: Buffer; readonly error: string };
type Ssh = { readonly child: ChildProcess; readonly got: () => number; readonly ended: Promise<Ended> };

describe.skipIf(!hasSsh())("a shell", () => {
  const scratch = mkdtempSync(join(tmpdir(), "shells-"));
  let [host, other, proxy]: Identity[] = [];
  let [people, strangers, person]: KeyPair[] = [];
  let sshd: ChildProcess;
  let sshdPort: number;

  beforeAll(async () => {
    const make = await makeInstances();
    [host, other, proxy] = [await make("node"), await make("node"), await make("proxy")];
    [people, strangers, person] = [await makeKeyPair(), await makeKeyPair(), await makeKeyPair()];
    writeFileSync(join(scratch, "key"), person.privateKey, { mode: 0o600 });
    sshdPort = await freePort();
    const authorities = [printSshKey(createPublicKey(people.publicKey), "people")];
    makeHostKey(scratch);
    sshd = startSshd({ scratch, port: sshdPort, authorities, serverId: host.stored.instance });
    while (!(await answers(sshdPort))) await sleep(20);
  });
  afterAll(async () => {
    const gone = once(sshd, "exit");
    if (sshd.kill()) await gone;
    rmSync(scratch, { recursive: true, force: true });
  });

  let ends: Ends;
  let accepted: Accepting;
  let wire: Wire;
  let shellPort: number;
  /** The proxy, the network, the host's agent and its sshd. People reach the proxy at `shellPort`. */
  beforeEach(async () => {
    ends = makeEnds();
    accepted = await ends.accepting(proxy);
    wire = await wireTo(ends, accepted.port);
    const front = await ends.listening((socket) => void pass(socket));
    shellPort = front.port;
    ends.dialling(host, sshdPort).keep([at(wire.port)]);
    await isBack();
  });
  afterEach(() => ends[Symbol.dispose]());

  async function pass(socket: Socket): Promise<void> {
    const stream = await opened(accepted.tunnels, host!.stored.instance);
    if (stream.kind === "open") splice(socket, stream.stream);
    else socket.destroy();
  }

  async function isBack(): Promise<void> {
    const stream = await opened(accepted.tunnels, host!.stored.instance);
    if (stream.kind !== "open") throw new Error(stream.why);
    const closed = once(stream.stream, "close");
    stream.stream.destroy();
    await closed;
  }

  /** A certificate as auth makes it: from a minute ago, for five minutes. */
  function certificate(than: Partial<SshCertificate> = {}): string {
    return certifySsh({
      authority: people!.privateKey,
      kind: "user",
      key: sshKeyOf(createPublicKey(person!.publicKey)),
      keyId: "anna@example",
      principals: [`${login}@${host!.stored.instance}`],
      valid: { from: nowSeconds() - 60, until: nowSeconds() + 300 },
      ...than,
    });
  }

  /** By auth's clock, where the host's is that far behind it. */
  const certifiedAhead = (seconds: number): string =>
    certificate({ valid: { from: nowSeconds() + seconds - 60, until: nowSeconds() + seconds + 300 } });

  function ssh(shown: string | undefined, command: string, as = login): Ssh {
    const file = join(scratch, "key-cert.pub");
    writeFileSync(file, `${shown ?? ""}\n`);
    const options = ["IdentitiesOnly=yes", "BatchMode=yes", "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null"];
    const words = [...options, ...(shown === undefined ? [] : [`CertificateFile=${file}`])].flatMap((word) => ["-o", word]);
    const argv = [
      "-F",
      "none",
      "-q",
      "-i",
      join(scratch, "key"),
      "-l",
      as,
      "-p",
      String(shellPort),
      ...words,
      "127.0.0.1",
      command,
    ];
    const child = spawn("ssh", argv, { stdio: ["ignore", "pipe", "pipe"] });
    const pieces: Buffer[] = [];
    let [error, got] = ["", 0];
    child.stdout.on("data", (piece: Buffer) => {
      pieces.push(piece);
      got += piece.length;
    });
    child.stderr.on("data", (text: Buffer) => (error += text.toString()));
    const ended = once(child, "close").then(([status, signal]) => ({
      status: status as number | null,
      signal: signal as string | null,
      out: Buffer.concat(pieces),
      error,
    }));
    return { child, got: () => got, ended };
  }

  const altered = (): string => {
    const [name = "", blob = "", comment = ""] = certificate({ principals: [`${login}@${other!.stored.instance}`] }).split(" ");
    const bytes = Buffer.from(blob, "base64").toString("latin1").replaceAll(other!.stored.instance, host!.stored.instance);
    return [name, Buffer.from(bytes, "latin1").toString("base64"), comment].join(" ");
  };

  test.each([
    ["a certificate for this login on this host", () => certificate(), "gets in"],
    ["one that was made by a clock that is 30 seconds ahead of the host's", () => certifiedAhead(30), "gets in"],
    ["one that was made by a clock that is 30 seconds behind the host's", () => certifiedAhead(-30), "gets in"],
    ["one by a clock that is five minutes ahead", () => certifiedAhead(300), "is refused"],
    ["one by a clock that is five minutes behind, so that it is expired", () => certifiedAhead(-300), "is refused"],
    ["one of another authority", () => certificate({ authority: strangers!.privateKey }), "is refused"],
    ["one for another login", () => certificate({ principals: [`nobody@${host!.stored.instance}`] }), "is refused"],
    ["one for the bare login", () => certificate({ principals: [login] }), "is refused"],
    ["a host's, of the same key", () => certificate({ kind: "host" }), "is refused"],
    ["one for another host", () => certificate({ principals: [`${login}@${other!.stored.instance}`] }), "is refused"],
    ["one whose host was altered", altered, "is refused"],
    ["none, as a proxy that opens a stream by itself", () => undefined, "is refused"],
  ])("with %s", async (_what, shown, what) => {
    const { status, out } = await ssh(shown(), "echo in").ended;
    expect([status, out.toString()]).toEqual(what === "gets in" ? [0, "in\n"] : [255, ""]);
  });

  test("as another login than the certificate's is refused", async () => {
    expect((await ssh(certificate(), "echo in", "nobody").ended).status).toBe(255);
  });

  /** Once there are no more sockets, timers and processes than before, and no session of sshd. */
  async function asBefore(before: Readonly<Record<string, number>>): Promise<void> {
    const more = (): object => ({
      ...Object.fromEntries(Object.entries(resources()).filter(([kind, count]) => count > (before[kind] ?? 0))),
      ...(childrenOf(sshd).length > 0 && { sessions: childrenOf(sshd) }),
    });
    for (let tries = 0; tries < 500 && Object.keys(more()).length > 0; tries += 1) await sleep(20);
    expect(more()).toEqual({});
  }

  test.each([
    ["ssh is killed", ({ child }: Ssh) => void child.kill("SIGKILL"), [null, "SIGKILL"]],
    ["the agent or the proxy is killed", () => wire.cut(), [255, null]],
    ["the proxy stops", () => accepted.tunnels.close(), [255, null]],
    ["the host's session is killed", () => endSessions(sshd), [255, null]],
  ])("leaves nothing at either end when %s in mid-stream, and the tunnel is back", async (_what, strike, ends255) => {
    await sleep(50);
    const before = resources();
    const running = ssh(certificate(), "cat /dev/zero");
    while (running.got() < 1_000_000) await sleep(20);
    strike(running);
    const { status, signal } = await running.ended;
    expect([status, signal]).toEqual(ends255);
    await isBack();
    await asBefore(before);
  });

  test("goes on after the network was away, without a byte lost", async () => {
    const file = join(scratch, "file");
    const sent = randomBytes(30 * 1024 * 1024);
    writeFileSync(file, sent);
    const running = ssh(certificate(), `cat ${file}`);
    while (running.got() < 1_000_000) await sleep(20);
    wire.silence();
    await sleep(isWhole ? 60_000 : 500);
    expect(running.got()).toBeLessThan(sent.length);
    wire.resume();
    expect((await running.ended).out.equals(sent)).toBe(true);
  });

  test.runIf(isWhole)("ends when the network forgot its connection, and the tunnel is dialled again", async () => {
    await sleep(50);
    const before = resources();
    const running = ssh(certificate(), "echo in; sleep 600");
    while (running.got() === 0) await sleep(20);
    wire.silence();
    expect((await running.ended).status).toBe(255);
    await isBack();
    // The wire's own sockets learn only now that both ends are gone.
    wire.resume();
    await asBefore(before);
  });
});

function answers(port: number): Promise<boolean> {
  const socket = connect(at(port));
  return once(socket, "data").then(
    () => {
      socket.destroy();
      return true;
    },
    () => false,
  );
}

/** The processes of sshd's connections. */
function childrenOf({ pid = 0 }: ChildProcess): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return (
          readFileSync(`/proc/${name}/stat`, "utf8")
            .replace(/^.*\) /s, "")
            .split(" ")[1] === String(pid)
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}

function endSessions(sshd: ChildProcess): void {
  for (const child of childrenOf(sshd)) process.kill(child, "SIGKILL");
}
