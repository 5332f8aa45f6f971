import { mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratchWith, missingTools } from "../scratch.ts";
import { agent, faultOf } from "./given.ts";
import { aptHost } from "./on-host.ts";

const mebibyte = 1024 ** 2;
const missing = missingTools();
const stock = ["15.4.5", "15.4.6"].map((version) => ({ name: "svc-ent", version }));
const { scratch, repository } = await scratchWith(stock);

describe.skipIf(missing !== undefined)("spoilt package lists", () => {
  const spoils: Readonly<Record<string, (path: string, size: number) => void>> = {
    empty: (path) => truncateSync(path, 0),
    "cut off": (path, size) => truncateSync(path, Math.floor(size / 2)),
    "full of garbage": (path, size) => writeFileSync(path, Buffer.alloc(size, "\u0001x")),
  };
  test.each([
    { how: "empty", kind: /_Packages$/ },
    { how: "full of garbage", kind: /Release$/ },
    { how: "cut off", kind: /_/ },
  ])("that are $how ($kind) are made anew, though the repository has nothing newer", async ({ how, kind }) => {
    const { apt, root } = await aptHost(scratch, { "ours.list": `deb [trusted=yes] copy:${repository} ./\n` });
    await apt.refresh(agent);
    const lists = join(root, "var/lib/apt/lists");
    const spoilt = readdirSync(lists).filter((name) => kind.test(name));
    expect(spoilt).not.toEqual([]);
    for (const name of spoilt) spoils[how]?.(join(lists, name), 400);
    await apt.refresh(agent);
    expect(await apt.offers(agent)).toEqual(["15.4.6", "15.4.5"]);
  });

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
