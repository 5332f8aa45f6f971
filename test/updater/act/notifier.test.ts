import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { notifierHere } from "../../../src/updater/act/notifier.ts";
import { decodeRequest, encodeRequest } from "../../../src/updater/act/request.ts";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import { encodeEvent, longestEventBytes, type NotifyEvent } from "../../../src/updater/record/event.ts";
import { mostWaiting } from "../../../src/updater/record/notifications.ts";
import { writeEvent } from "../../../src/updater/cli/json/event.ts";
import { testEvent } from "../../../src/updater/sentences/event.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { now } from "../pass/given.ts";

const directory = scratchFolder();
const id = "0123456789abcdef0123456789abcdef";
const event: NotifyEvent = testEvent({ id, host: "h", package: "svc-ent", channel: "default", now });
const eventFile = `${directory}/notify-${id}.json`;

type Ran = { readonly argv: readonly string[]; readonly input: string };

function notifier(
  credentials: readonly { readonly name: string; readonly file: string }[] = [],
  command: readonly string[] = ["tell"],
) {
  const ran: Ran[] = [];
  const run = async ({ argv }: { readonly argv: readonly string[] }): Promise<CommandResult> => {
    ran.push({ argv, input: existsSync(eventFile) ? readFileSync(eventFile, "utf8") : "" });
    return { kind: "exited", status: 0, stdout: "", stderr: "" };
  };
  return { ran, notifier: notifierHere({ notify: { command, credentials }, run, directory, write: writeEvent }) };
}

describe("the acting unit", () => {
  test("starts root's command with the event on its standard input, and nothing of it in its arguments", async () => {
    const { ran, notifier: here } = notifier();
    expect(await here.start(encodeEvent(event))).toBe("started");
    expect(ran).toHaveLength(1);
    expect(JSON.parse(ran[0]!.input)).toEqual(JSON.parse(writeEvent(event)));
    expect(ran[0]!.argv.join(" ")).not.toContain(event.told);
    expect(statSync(eventFile).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["an id that is a path", encodeEvent({ ...event, id: "../../etc/passwd" })],
    ["what is too long", JSON.stringify({ ...event, more: "x".repeat(longestEventBytes) })],
  ])("refuses %s, and starts nothing", async (_what, text) => {
    const { ran, notifier: here } = notifier();
    await expect(here.start(text)).rejects.toMatchObject({ code: "hand-over-invalid" });
    expect(ran).toEqual([]);
  });

  test("hands on what the form knows, and nothing beside it", async () => {
    const { ran, notifier: here } = notifier();
    await here.start(JSON.stringify({ ...event, argv: ["sh"], told: "one\nline" }));
    expect(ran[0]!.input).not.toContain("argv");
    expect(ran[0]!.input.trimEnd()).not.toContain("\n");
  });

  test("starts nothing where root names nothing", async () => {
    expect(await notifier([], []).notifier.start(encodeEvent(event))).toBe("not set");
  });

  test("starts nothing where a credential is no file, and says what is there instead", async () => {
    const files = ["/nowhere/token", "/etc", "/dev/null"];
    const { ran, notifier: here } = notifier(files.map((file, at) => ({ name: `c${at}`, file })));
    await expect(here.start(encodeEvent(event))).rejects.toMatchObject({
      code: "settings-invalid",
      message:
        "notify.credentials names files that cannot be used: c0 (/nowhere/token): it is not there, c1 (/etc): it is a directory, c2 (/dev/null): it is not a regular file",
    });
    expect(ran).toEqual([]);
    writeFileSync(`${directory}/token`, "t");
    expect(await notifier([{ name: "token", file: `${directory}/token` }]).notifier.start(encodeEvent(event))).toBe("started");
  });

  test("is asked of no file but one of a notification's", async () => {
    expect(await notifier().notifier.ends(["../../etc/shadow", "x"])).toEqual([]);
    expect(await notifier().notifier.ends([id])).toEqual([{ id, kind: "unknown" }]);
  });

  test("keeps no more ends than anybody asks for", async () => {
    for (let number = 0; number < 60; number += 1) {
      writeFileSync(`${directory}/notify-${number.toString(16).padStart(32, "0")}.end`, "");
    }
    await notifier().notifier.start(encodeEvent(event));
    expect(readdirSync(directory).filter((name) => name.endsWith(".end"))).toHaveLength(40);
  });
});

test("a request takes the longest event, and as many ids as wait, and no more", () => {
  const notify = (length: number) => decodeRequest(encodeRequest({ kind: "notify", event: "x".repeat(length) })).kind;
  expect([notify(longestEventBytes), notify(longestEventBytes + 1)]).toEqual(["read", "unreadable"]);
  const ids = (count: number) =>
    decodeRequest(JSON.stringify({ kind: "notified", ids: Array.from({ length: count }, () => id) })).kind;
  expect([ids(mostWaiting), ids(mostWaiting + 1)]).toEqual(["read", "unreadable"]);
});
