import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isInPath } from "../../../packaging/tool.ts";
import { oneAtATime } from "../../system/lab/one-at-a-time.ts";
import { arePrograms, builds, moduleFolder, programsFolder } from "./programs.ts";
import { stopSignal } from "./stopping.ts";

/** Builds the programs unless they are there, and deletes Go's downloads and caches. */
export async function buildPrograms(): Promise<string> {
  const folder = await programsFolder();
  if (await arePrograms(folder)) return folder;
  console.log(
    "Building takes ten minutes on two processors, and 5 GB meanwhile. Where another build has begun, this one waits for it.",
  );
  return oneAtATime(`${folder}.lock`, async () => {
    if (await arePrograms(folder)) return folder;
    const half = `${folder}.half`;
    const stopping = stopSignal();
    // A killed build leaves its half.
    await rm(half, { recursive: true, force: true });
    try {
      for (const name of ["bin", "work"]) await mkdir(join(half, name), { recursive: true });
      for (const { flags, output, packages } of builds) {
        const argv = ["build", "-p", "2", "-trimpath", "-ldflags", flags, "-o", join(half, "bin", output), ...packages];
        await runGo(argv, half, stopping);
      }
      await rename(join(half, "bin"), folder);
    } finally {
      await rm(half, { recursive: true, force: true });
    }
    return folder;
  });
}

async function runGo(argv: readonly string[], half: string, stopping: AbortSignal): Promise<void> {
  stopping.throwIfAborted();
  const program = isInPath("go") ? "go" : "/usr/local/go/bin/go";
  const child = spawn("nice", [program, ...argv], {
    cwd: moduleFolder,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      CGO_ENABLED: "0",
      GOTOOLCHAIN: "local",
      // Without the second one only root could delete the modules.
      GOFLAGS: "-mod=readonly -modcacherw",
      GOCACHE: join(half, "cache"),
      GOMODCACHE: join(half, "modules"),
      GOTMPDIR: join(half, "work"),
    },
    // A group of its own, so that the compilers end with it.
    detached: true,
  });
  const stop = (): boolean => process.kill(-child.pid!, "SIGKILL");
  stopping.addEventListener("abort", stop);
  const [status] = (await once(child, "close")) as [number | null];
  stopping.removeEventListener("abort", stop);
  if (stopping.aborted) throw new Error("the build was interrupted, and nothing of it is left");
  if (status !== 0) throw new Error(`go ${argv.join(" ")}: exit ${status}`);
}
