import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ChannelName } from "../../src/channel/path.ts";
import type { Answer, Request } from "../../src/record/hand-over.ts";
import type { Endpoint } from "../../src/settings/settings.ts";
import { hasStrangers, readAnswer, readRequest, writeAnswer, writeRequest } from "../../src/store/hand-over.ts";
import { scratchFolder } from "../host/scratch.ts";

const folder = scratchFolder();
const path = `${folder}/answer.json`;
const own = process.getuid?.() ?? -1;
const expected = { pass: "p1", now: 1000, isOwner: (uid: number) => uid === own };
const answer: Answer = { pass: "p1", at: 990, answer: { kind: "served", served: { kind: "none" }, isCritical: false } };
const request: Request = {
  pass: "p1",
  purpose: "answer",
  form: "open",
  endpoint: "https://proxy.example.com" as Endpoint,
  channel: "default" as ChannelName,
  caFile: undefined,
  allowPlainHttp: false,
  installed: undefined,
};

describe("an answer", () => {
  test("is taken when it is this pass's, fresh and from the right owner", () => {
    writeAnswer(path, answer);
    expect(readAnswer(path, expected)).toEqual(answer);
  });

  test.each([
    ["is not there", () => rmSync(path), expected, "it is not there"],
    ["is a link", () => (rmSync(path), symlinkSync("/etc/hostname", path)), expected, "it is a symbolic link"],
    ["is a pipe", () => (rmSync(path), execFileSync("mkfifo", [path])), expected, "it is a named pipe"],
    ["has a second name", () => linkSync(path, `${folder}/second`), expected, "it has 2 names"],
    ["is too large", () => writeFileSync(path, " ".repeat(4097)), expected, "it is larger than 4096 bytes"],
    ["is somebody else's", () => {}, { ...expected, isOwner: () => false }, `it belongs to user ${own}`],
    ["can be written by others", () => chmodSync(path, 0o664), expected, "others may write it (mode 664)"],
    ["is no JSON", () => writeFileSync(path, "<html>"), expected, "it is not JSON"],
    ["answers another pass", () => {}, { ...expected, pass: "p2" }, "it answers the pass p1, not p2"],
    ["is old", () => {}, { ...expected, now: 1291 }, "it was written 301 seconds ago"],
    ["comes from the future", () => {}, { ...expected, now: 600 }, "it was written 390 seconds in the future"],
  ])("is refused when it %s", (_, change, wanted, why) => {
    rmSync(path, { force: true });
    writeAnswer(path, answer);
    change();
    expect(() => readAnswer(path, wanted)).toThrow(
      expect.objectContaining({ code: "hand-over-invalid", message: expect.stringContaining(why) as string }),
    );
    rmSync(`${folder}/second`, { force: true });
  });
});

describe("a stranger beside the replies", () => {
  const replies = { answer: `${folder}/ask/answer.json`, probe: `${folder}/ask/probe.json` };

  test("is none where nothing, or nothing but the replies, was left", () => {
    expect(hasStrangers(replies)).toBe(false);
    mkdirSync(`${folder}/ask`);
    expect(hasStrangers(replies)).toBe(false);
    writeFileSync(replies.answer, "");
    writeFileSync(replies.probe, "");
    expect(hasStrangers(replies)).toBe(false);
  });

  test.each([
    ["a file of another name", () => writeFileSync(`${folder}/ask/more`, "")],
    ["half of a reply", () => writeFileSync(`${folder}/ask/.answer.json.1.tmp`, "")],
    ["a directory in the place of a reply", () => (rmSync(replies.answer), mkdirSync(replies.answer))],
    ["a link in the place of a reply", () => (rmSync(replies.probe), symlinkSync("answer.json", replies.probe))],
    ["a pipe in the place of a reply", () => (rmSync(replies.probe), execFileSync("mkfifo", [replies.probe]))],
  ])("is %s", (_title, leave) => {
    rmSync(`${folder}/ask`, { recursive: true, force: true });
    mkdirSync(`${folder}/ask`);
    for (const reply of Object.values(replies)) writeFileSync(reply, "");
    leave();
    expect(hasStrangers(replies)).toBe(true);
  });
});

describe("a request", () => {
  test("goes to everyone and comes back as it was", () => {
    writeRequest(`${folder}/request.json`, request);
    expect(statSync(`${folder}/request.json`).mode & 0o777).toBe(0o644);
    expect(readRequest(`${folder}/request.json`, expected.isOwner)).toEqual(request);
  });

  test("is refused from a stranger", () => {
    writeRequest(`${folder}/request.json`, request);
    expect(() => readRequest(`${folder}/request.json`, (uid) => uid !== own)).toThrow(`it belongs to user ${own}`);
  });
});
