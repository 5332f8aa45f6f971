import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { passedSocket } from "../../../src/machine/program/passed-socket.ts";
import { freePorts } from "./process.ts";

const told = { socket: "svc-proxy.socket", hint: "leave one" };

describe("the socket that the service manager passes", () => {
  test.each([
    ["none", {}, undefined],
    ["one", { LISTEN_FDS: "1", LISTEN_PID: "42" }, 3],
    ["one that was passed to another process", { LISTEN_FDS: "1", LISTEN_PID: "41" }, undefined],
    ["none, said in numbers", { LISTEN_FDS: "0", LISTEN_PID: "42" }, undefined],
  ])("is found: %s", (_what, environment, expected) => {
    expect(passedSocket({ environment, processId: 42 }, told)).toBe(expected);
  });

  test("must be the only one, or the server would not know which to use", () => {
    expect(() => passedSocket({ environment: { LISTEN_FDS: "2", LISTEN_PID: "42" }, processId: 42 }, told)).toThrow(
      "svc-proxy.socket has 2 addresses",
    );
  });

  test.skipIf(spawnSync("systemd-socket-activate", ["--version"]).error !== undefined)(
    "is served on in place of web_listen_addr, which is said where it names another port",
    async () => {
      const place = mkdtempSync(join(tmpdir(), "svc-proxy-socket-"));
      const [held, named] = await freePorts();
      const [looked] = await freePorts();
      const config = join(place, "svc.yaml");
      writeFileSync(
        config,
        `proxy_service: {public_addr: proxy.example.com, web_listen_addr: "127.0.0.1:${named}", diag_addr: "127.0.0.1:${looked}", version: v15.4.6}\n`,
      );
      const program = [process.execPath, "src/svc-proxy.ts", "serve", "--config", config];
      const child = spawn("systemd-socket-activate", ["--listen", `127.0.0.1:${held}`, ...program], {
        cwd: join(import.meta.dirname, "../../.."),
        stdio: ["ignore", "ignore", "pipe"],
      });
      let log = "";
      child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
      const ended = new Promise((resolve) => child.once("exit", (status) => resolve(status)));
      try {
        await expect.poll(() => log).toContain("Listening on");
        const answer = await fetch(`http://127.0.0.1:${held}/v1/webapi/automaticupgrades/channel/default/version`);
        expect(await answer.text()).toBe("v15.4.6\n");
        await expect(fetch(`http://127.0.0.1:${named}/webapi/ping`)).rejects.toThrow("fetch failed");
        child.kill("SIGTERM");
        expect(await ended).toBe(0);
        expect(log).toContain(
          `web_listen_addr names another port than svc-proxy.socket, which counts web_listen_addr=127.0.0.1:${named}`,
        );
      } finally {
        child.kill("SIGKILL");
        rmSync(place, { recursive: true });
      }
    },
  );
});
