import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { emulation } from "../../packaging/emulation.ts";
import {
  type ProgramName,
  architectures,
  executablePath,
  nativeArchitecture,
  projectRoot,
  projectVersion,
} from "../../packaging/project.ts";
import { scratchFolder } from "../machine/files/scratch.ts";
import { freePorts, serving } from "../proxy/server/process.ts";
import { runProgram, type ProgramResult } from "./lab/program.ts";
import { until } from "./lab/until.ts";

/** An emulator takes ten times as long. */
const longestMs = 300_000;

describe.each(architectures.filter((one) => one !== nativeArchitecture))(
  "the executables for %s, in an emulator",
  (architecture) => {
    const missing = missingFor(architecture);
    if (missing !== undefined) console.warn(`SKIPPED: the executables for ${architecture}: ${missing}`);
    const scratch = scratchFolder();

    const run = (program: ProgramName, args: readonly string[]): Promise<ProgramResult> =>
      runProgram([...emulation(architecture), executablePath(architecture, program), ...args]);
    const runHere = (program: ProgramName, args: readonly string[]): Promise<ProgramResult> =>
      runProgram([executablePath(nativeArchitecture, program), ...args]);

    test.skipIf(missing !== undefined)("are what the packages hold, and of that architecture", async () => {
      const readelf = await runProgram(["readelf", "--file-header", executablePath(architecture)]);
      expect(readelf.stdout).toContain({ amd64: "Advanced Micro Devices X86-64", arm64: "AArch64" }[architecture]);
      const deb = join(projectRoot, "dist", `svc-ent-updater_${projectVersion}_${architecture}.deb`);
      const unpacked = join(scratch, "unpacked");
      expect((await runProgram(["dpkg-deb", "--extract", deb, unpacked])).status).toBe(0);
      const shipped = readFileSync(join(unpacked, "usr/bin/svc-upgrade"));
      expect(shipped.equals(readFileSync(executablePath(architecture)))).toBe(true);
    });

    // A code cache that the runtime refuses is told on stderr.
    test.skipIf(missing !== undefined)(
      "answer as this machine's own do, and say nothing of their code caches",
      async () => {
        for (const [program, args] of [
          ["svc-upgrade", ["version"]],
          ["svc-upgrade", ["help"]],
          ["svc-upgrade", ["show-config", "--root", scratch]],
          ["svc-upgrade", ["dry-run", "--chanel", "x"]],
          ["svc-proxy", ["version", "--json"]],
          ["svc-proxy", ["help"]],
          ["svc", ["version", "--json"]],
          ["svc", ["--help"]],
          ["svc", ["tctl", "--help"]],
          ["svc", ["tsh", "version"]],
        ] as const) {
          const answer = await run(program, args);
          expect(answer, `${program} ${args.join(" ")}`).toEqual(await runHere(program, args));
          expect(answer.stderr).not.toContain("Warning");
        }
      },
      longestMs,
    );

    test.skipIf(missing !== undefined)(
      "install the agent and upgrade it in its window: the demo",
      async () => {
        const demo = await runProgram([process.execPath, join(projectRoot, "test/demo/demo.ts"), architecture], {
          timeoutMs: longestMs,
        });
        expect(demo.stdout).toContain("\nDone: the agent went from 15.4.5 to 15.4.6 inside its window.\n");
        expect(demo.status).toBe(0);
      },
      longestMs,
    );

    test.skipIf(missing !== undefined)(
      "serve a channel",
      async () => {
        const [port, look] = await freePorts();
        const config = join(scratch, "svc.yaml");
        writeFileSync(
          config,
          `proxy_service: {public_addr: proxy.example.com, web_listen_addr: 127.0.0.1:${port}, diag_addr: 127.0.0.1:${look}, version: v15.4.6, automatic_upgrades_channels: {default: {static_version: v15.4.6}}}\n`,
        );
        const server = serving(config, { PATH: process.env["PATH"] ?? "" }, [
          ...emulation(architecture),
          executablePath(architecture, "svc-proxy"),
        ]);
        onTestFinished(async () => void (await server.stop()));
        await server.listening();
        const answer = await fetch(`http://127.0.0.1:${port}/v1/webapi/automaticupgrades/channel/default/version`);
        expect([answer.status, await answer.text()]).toEqual([200, "v15.4.6\n"]);
        server.kill("SIGTERM");
        await server.ended;
        expect(server.log()).not.toContain("Warning");
      },
      longestMs,
    );

    test.skipIf(missing !== undefined)(
      "begin a cluster, with keys and certificates of its own",
      async () => {
        const [auth, look] = await freePorts();
        const config = join(scratch, "cluster.yaml");
        writeFileSync(
          config,
          `svc: {data_dir: ${join(scratch, "cluster")}}\nauth_service: {cluster_name: example, listen_addr: 127.0.0.1:${auth}, diag_addr: 127.0.0.1:${look}}\n`,
        );
        const program = [...emulation(architecture), executablePath(architecture, "svc")] as const;
        const service = spawn(program[0], [...program.slice(1), "start", "--config", config], {
          // An emulator cannot begin anew without the variables that steer the runtime.
          env: { PATH: process.env["PATH"] },
          stdio: ["ignore", "ignore", "pipe"],
        });
        const ended = once(service, "exit");
        onTestFinished(async () => {
          service.kill("SIGKILL");
          await ended;
        });
        let log = "";
        service.stderr.on("data", (text) => (log += text));
        await until("it serves", longestMs / 2, () => {
          if (service.exitCode !== null || service.signalCode !== null) throw new Error(`it ended:\n${log}`);
          return log.includes("serving services=") ? true : undefined;
        });
        const { status, stdout } = await runHere("svc", ["tctl", "--config", config, "status"]);
        expect([status, stdout]).toEqual([0, expect.stringMatching(/^Cluster +example\nVersion .*\nCA pin +sha256:/)]);
        expect(log).not.toContain("Warning");
      },
      longestMs,
    );
  },
);

function missingFor(architecture: (typeof architectures)[number]): string | undefined {
  try {
    emulation(architecture);
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}
