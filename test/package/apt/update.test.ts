import { mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { boundedArgv, configOption, installArgv, refreshAllArgv, withOptions } from "../../../src/package/apt/argv.ts";
import { isCutOff, leavesParts, limitFor, update } from "../../../src/package/apt/update.ts";
import type { AptCalls } from "../../../src/package/apt/calls.ts";
import { makeScratch, missingTools, type Scratch } from "../scratch.ts";
import { agent, change, faultOf } from "./given.ts";
import { answering } from "./answers.ts";
import { aptHost } from "./on-host.ts";

const mebibyte = 1024 ** 2;

describe("a refresh", () => {
  test("leaves room on the disk, takes no more than a gigabyte for one file, and never less than lists need", () => {
    expect(limitFor(200 * mebibyte)).toBe(136 * mebibyte);
    expect(limitFor(50_000 * mebibyte)).toBe(1024 * mebibyte);
    expect(limitFor(0)).toBe(16 * mebibyte);
  });

  test.each([
    ["E: Method http has died unexpectedly!", true],
    ["E: Sub-process http received signal 25.", true],
    ["W: Write error - write (27: File too large)", true],
    ["E: Failed to fetch http://127.0.0.1/x", false],
  ])("knows that it was cut off: %s", (output, isCut) => {
    expect(isCutOff(output)).toBe(isCut);
  });

  test("that ran out of room, or was sent more than it asked for, leaves parts of no use", () => {
    expect(leavesParts("W: Failed to fetch http://a/InRelease  File has unexpected size (10026779 != 10000000).")).toBe(true);
    expect(leavesParts("E: Write error - write (28: No space left on device)")).toBe(true);
    expect(leavesParts("E: Method http has died unexpectedly!")).toBe(true);
    expect(leavesParts("E: Failed to fetch http://127.0.0.1/x")).toBe(false);
  });

  test("is told the routes behind the limit, as every other call is told them", () => {
    const bounded = withOptions(boundedArgv(5, refreshAllArgv()), configOption("/run/routes"));
    expect(bounded?.slice(0, 8)).toEqual(["prlimit", "--fsize=5", "--core=0", "--", "apt-get", "-c", "/run/routes", "-qq"]);
    const install = withOptions(installArgv(change("15.4.6")), configOption("/run/routes"));
    expect(install?.slice(0, 3)).toEqual(["apt-get", "-c", "/run/routes"]);
  });

  test.each([
    { title: "well", output: "", status: 0, removes: 0 },
    { title: "with a failure", output: "E: Failed to fetch http://127.0.0.1/x\n", status: 100, removes: 0 },
    { title: "with a full disk", output: "E: Write error - write (28: No space left on device)\n", status: 100, removes: 1 },
  ])("that ends $title is told as it ended, and $removes time is something removed", async ({ output, status, removes }) => {
    const calls = answering([[/^prlimit/, { status, output }]]);
    expect(await update(calls, refreshAllArgv(), "refresh")).toEqual({ status, stdout: "", output });
    expect(calls.acted.slice(1)).toHaveLength(removes);
  });

  test("that was cut off keeps the status of its failure, and says how much came", async () => {
    const calls = answering([[/^prlimit/, { status: 1, output: "E: Method http has died unexpectedly!" }]]);
    const { status, output } = await update(calls, refreshAllArgv(), "refresh");
    const limit = /--fsize=(\d+)/.exec(calls.acted[0] ?? "")?.[1];
    expect([status, output.split("\n")[0]]).toEqual([
      1,
      `E: more than ${Math.floor(Number(limit) / mebibyte)} MiB came for one file, and the download was ended there`,
    ]);
  });

  test("that was cut off is a failure, says so first, and leaves nothing of it", async () => {
    const did: (readonly string[])[] = [];
    const done = { status: 0, stdout: "LISTS='/nowhere/lists/'\n", output: "E: Method http has died unexpectedly!" };
    const note = async (argv: readonly string[]): Promise<typeof done> => {
      did.push(argv);
      return done;
    };
    const calls: AptCalls = { ask: note, act: note, actOffline: note, root: "/", patience: { forMs: 1, everyMs: 1 } };
    const { status, output } = await update(calls, refreshAllArgv(), "refresh");
    expect(status).toBe(100);
    expect(output).toMatch(/^E: more than \d+ MiB came for one file, and the download was ended there\n/);
    expect(did.at(-1)).toEqual(["find", "/nowhere/lists/partial", "-type", "f", "-delete"]);
  });
});

const missing = missingTools();

describe.skipIf(missing !== undefined)("spoilt package lists", { timeout: 120_000 }, () => {
  let scratch: Scratch;
  let repository: string;
  beforeAll(async () => {
    scratch = await makeScratch();
    repository = await scratch.repository("lists", [
      { name: "svc-ent", version: "15.4.5" },
      { name: "svc-ent", version: "15.4.6" },
    ]);
  }, 120_000);
  afterAll(() => scratch.remove());

  const spoils: Readonly<Record<string, (path: string, size: number) => void>> = {
    empty: (path) => truncateSync(path, 0),
    "cut off": (path, size) => truncateSync(path, Math.floor(size / 2)),
    "full of zeros": (path, size) => writeFileSync(path, Buffer.alloc(size)),
    "full of garbage": (path, size) => writeFileSync(path, Buffer.alloc(size, "\u0001x")),
  };
  const kinds = [/_Packages$/, /Release$/, /_/];

  test.each(Object.keys(spoils).flatMap((how) => kinds.map((kind) => ({ how, kind }))))(
    "that are $how ($kind) are made anew, though the repository has nothing newer",
    async ({ how, kind }) => {
      const { apt, root } = await aptHost(scratch, { "ours.list": `deb [trusted=yes] copy:${repository} ./\n` });
      await apt.refresh(agent);
      const lists = join(root, "var/lib/apt/lists");
      const spoilt = readdirSync(lists).filter((name) => kind.test(name));
      expect(spoilt).not.toEqual([]);
      for (const name of spoilt) spoils[how]?.(join(lists, name), 400);
      await apt.refresh(agent);
      expect(await apt.offers(agent)).toEqual(["15.4.6", "15.4.5"]);
    },
  );

  test("that never end are refused, and nothing of them stays", async () => {
    const server = createServer((_, response) => sendForEver(response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { apt, root } = await aptHost(scratch, { "ours.list": `deb [trusted=yes] ${url} ./\n` });
    mkdirSync(join(root, "var/lib/apt/lists/partial"), { recursive: true });
    const fault = await faultOf(apt.refresh(agent));
    server.closeAllConnections();
    server.close();
    expect(fault.code).toBe("refresh-failed");
    expect(readdirSync(join(root, "var/lib/apt/lists/partial"))).toEqual([]);
  });
});

function sendForEver(response: ServerResponse): void {
  const piece = Buffer.alloc(mebibyte, "x");
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once("drain", more);
  };
  response.writeHead(200);
  more();
}
