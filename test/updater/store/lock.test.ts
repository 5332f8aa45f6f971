import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { takeLock } from "../../../src/updater/store/lock.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const at = (lock: string): { readonly root: string; readonly lock: string } => ({ root: "/", lock });
const source = (name: string): string => JSON.stringify(`${import.meta.dirname}/../../../src/${name}.ts`);

/** A process of its own that tries to take the lock, says so, and stays until it is ended. */
async function contender(path: string, script = ""): Promise<{ readonly child: ChildProcess; readonly said: string }> {
  const program = `import { takeLock } from ${source("updater/store/lock")};
    import { runCommand } from ${source("machine/processes/run-command")};
    const lock = takeLock(${JSON.stringify(at(path))}, "a pass by the timer");
    ${script}
    console.log(lock.kind);
    setTimeout(() => {}, 30_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const [data] = (await once(child.stdout, "data")) as [Buffer];
  return { child, said: data.toString().trim() };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}

describe("the lock", () => {
  test("is held by one process at a time, and the other learns who has it", async () => {
    const path = `${folder}/one/lock`;
    const { child, said } = await contender(path);
    expect(said).toBe("held");
    expect(takeLock(at(path), "a run by hand")).toEqual({
      kind: "busy",
      holder: { pid: child.pid, doing: "a pass by the timer" },
    });
    await end(child, "SIGTERM");
  });

  test.each(["SIGKILL", "SIGTERM", "SIGABRT"] as const)("is free at once when its holder dies of %s", async (signal) => {
    const path = `${folder}/${signal}`;
    const { child } = await contender(path);
    await end(child, signal);
    const lock = takeLock(at(path), "the next pass");
    expect(lock.kind).toBe("held");
    expect(readFileSync(path, "utf8")).toBe(`${process.pid} the next pass\n`);
    if (lock.kind === "held") lock.release();
  });

  test("dies with its holder although a program that the holder started runs on", async () => {
    const path = `${folder}/orphan`;
    const pidFile = `${folder}/orphan.pid`;
    const { child } = await contender(
      path,
      `void runCommand({ argv: ["sh", "-c", "echo $$ > ${pidFile}; exec sleep 20"], env: { PATH: "/usr/bin:/bin" }, timeoutMs: 20000 });
       const { existsSync } = await import("node:fs");
       while (!existsSync(${JSON.stringify(pidFile)})) await new Promise((resolve) => setTimeout(resolve, 10));`,
    );
    await end(child, "SIGKILL");
    const lock = takeLock(at(path), "the next pass");
    const orphan = Number(readFileSync(pidFile, "utf8"));
    expect(existsSync(`/proc/${orphan}`)).toBe(true);
    process.kill(orphan);
    expect(lock.kind).toBe("held");
    if (lock.kind === "held") lock.release();
  });

  test("can be taken again after it was released, and the file stays", () => {
    const path = `${folder}/again`;
    const inodes = [1, 2].map(() => {
      const lock = takeLock(at(path), "a pass");
      if (lock.kind === "held") lock.release();
      return lock.kind === "held" && statSync(path).ino;
    });
    expect(readFileSync(path, "utf8")).toBe("");
    expect(inodes[0]).toBe(inodes[1]);
    expect(inodes[0]).toBeTypeOf("number");
  });

  test("is taken by exactly one of many who come at once", async () => {
    const contenders = await Promise.all(Array.from({ length: 6 }, () => contender(`${folder}/many`)));
    await Promise.all(contenders.map(({ child }) => end(child, "SIGKILL")));
    expect(contenders.map(({ said }) => said).sort()).toEqual(["busy", "busy", "busy", "busy", "busy", "held"]);
  });

  test("can be opened by its owner alone, or any user could hold it for ever", () => {
    const path = `${folder}/mode`;
    writeFileSync(path, "", { mode: 0o666 });
    const lock = takeLock(at(path), "a pass");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    if (lock.kind === "held") lock.release();
  });

  test("names no holder where what is written there is nobody's name", () => {
    const path = `${folder}/nameless`;
    const lock = takeLock(at(path), "a pass");
    writeFileSync(path, "\u0000\u0001");
    expect(takeLock(at(path), "another")).toEqual({ kind: "busy", holder: undefined });
    if (lock.kind === "held") lock.release();
  });

  test("is not taken through a link, nor where no file can be", () => {
    symlinkSync("elsewhere", `${folder}/link`);
    expect(() => takeLock(at(`${folder}/link`), "a pass")).toThrow("could not be opened for locking: too many symbolic links");
    execFileSync("mkfifo", [`${folder}/pipe`]);
    expect(() => takeLock(at(`${folder}/pipe`), "a pass")).toThrow("is not used as a lock: it is no file");
    mkdirSync(`${folder}/directory`);
    expect(() => takeLock(at(`${folder}/directory`), "a pass")).toThrow("EISDIR");
  });

  test("is no second name of another file, which stays as it is", () => {
    writeFileSync(`${folder}/victim`, "the machine's\n");
    chmodSync(`${folder}/victim`, 0o644);
    linkSync(`${folder}/victim`, `${folder}/second`);
    const refused = expect.objectContaining({ code: "path-untrusted" }) as Error;
    expect(() => takeLock(at(`${folder}/second`), "a pass")).toThrow(refused);
    expect([readFileSync(`${folder}/victim`, "utf8"), statSync(`${folder}/victim`).mode & 0o777]).toEqual([
      "the machine's\n",
      0o644,
    ]);
  });

  test("is what flock itself sees", () => {
    const path = `${folder}/flock`;
    const lock = takeLock(at(path), "a pass");
    expect(spawnSync("flock", ["-n", path, "true"]).status).toBe(1);
    if (lock.kind === "held") lock.release();
    expect(spawnSync("flock", ["-n", path, "true"]).status).toBe(0);
  });
});
