import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { readFileCapped } from "../../../src/machine/files/read-file.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();
const limits = { capBytes: 10, links: "refuse" } as const;

describe("a file that is read", () => {
  test("comes with its owner, mode, age and number of names", () => {
    const path = `${folder}/plain`;
    writeFileSync(path, "text\n");
    chmodSync(path, 0o640);
    utimesSync(path, 1000, 1234.9);
    linkSync(path, `${folder}/second`);
    expect(readFileCapped(path, limits)).toEqual({
      kind: "read",
      text: "text\n",
      uid: process.getuid?.(),
      gid: process.getgid?.(),
      mode: 0o640,
      modifiedAt: 1234,
      links: 2,
    });
  });

  test("may be as large as the cap and no larger", () => {
    writeFileSync(`${folder}/full`, "0123456789");
    writeFileSync(`${folder}/over`, "0123456789a");
    expect(readFileCapped(`${folder}/full`, limits)).toMatchObject({ text: "0123456789" });
    expect(readFileCapped(`${folder}/over`, limits)).toEqual({ kind: "refused", why: "it is larger than 10 bytes" });
  });

  test("comes whole however much larger than others it is, up to its cap", () => {
    const text = "line\n".repeat(60_000);
    writeFileSync(`${folder}/long`, text);
    for (const capBytes of [text.length, text.length + 1, 10 * text.length]) {
      expect(readFileCapped(`${folder}/long`, { ...limits, capBytes })).toMatchObject({ kind: "read", text });
    }
    expect(readFileCapped(`${folder}/long`, { ...limits, capBytes: text.length - 1 })).toMatchObject({ kind: "refused" });
  });

  test("is measured by what it holds where its size says nothing", () => {
    expect(readFileCapped("/proc/self/status", limits)).toEqual({ kind: "refused", why: "it is larger than 10 bytes" });
    expect(readFileCapped("/proc/self/comm", { ...limits, capBytes: 100 })).toMatchObject({
      kind: "read",
      text: expect.stringMatching(/\n$/),
    });
  });

  test("that is not there is missing, below a file too", () => {
    expect(readFileCapped(`${folder}/nothing`, limits)).toEqual({ kind: "missing" });
    writeFileSync(`${folder}/file`, "");
    expect(readFileCapped(`${folder}/file/below`, limits)).toEqual({ kind: "missing" });
  });

  test("is not read through a link unless links are followed", () => {
    writeFileSync(`${folder}/target`, "aim");
    symlinkSync("target", `${folder}/link`);
    symlinkSync("loop", `${folder}/loop`);
    expect(readFileCapped(`${folder}/link`, limits)).toEqual({ kind: "refused", why: "it is a symbolic link" });
    expect(readFileCapped(`${folder}/link`, { ...limits, links: "follow" })).toMatchObject({ text: "aim" });
    expect(readFileCapped(`${folder}/loop`, { ...limits, links: "follow" })).toMatchObject({ kind: "refused" });
  });

  test("is never a pipe, a directory, a device or a socket, and none of them is waited for", async () => {
    execFileSync("mkfifo", [`${folder}/pipe`]);
    mkdirSync(`${folder}/directory`);
    const server = createServer().listen(`${folder}/socket`);
    await new Promise((resolve) => server.once("listening", resolve));
    expect(readFileCapped(`${folder}/pipe`, limits)).toEqual({ kind: "refused", why: "it is a named pipe" });
    expect(readFileCapped(`${folder}/directory`, limits)).toEqual({ kind: "refused", why: "it is a directory" });
    expect(readFileCapped("/dev/zero", limits)).toEqual({ kind: "refused", why: "it is not a regular file" });
    expect(readFileCapped(`${folder}/socket`, limits)).toEqual({ kind: "refused", why: "it is a socket or a device" });
    server.close();
  });

  test.runIf(process.getuid?.() === 0)("that this user may not read is denied", () => {
    const path = `${folder}/secret`;
    writeFileSync(path, "secret", { mode: 0o600 });
    chmodSync(folder, 0o755);
    process.seteuid?.(65_534);
    try {
      expect(readFileCapped(path, limits)).toEqual({ kind: "denied" });
    } finally {
      process.seteuid?.(0);
    }
  });

  test("under a name that no file can have is refused", () => {
    expect(readFileCapped(`${folder}/${"a".repeat(300)}`, limits)).toEqual({
      kind: "refused",
      why: "name too long (ENAMETOOLONG)",
    });
  });
});
