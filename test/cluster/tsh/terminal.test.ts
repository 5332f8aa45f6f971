import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { readTyped } from "../../../src/cluster/tsh/terminal.ts";
import { invitation, password } from "../session/cluster.ts";
import { type Person, testPerson as it } from "./running.ts";

const program = join(import.meta.dirname, "../../../src/svc.ts");
const missing = ["script", "stty"].filter((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0);
if (missing.length > 0) console.warn(`SKIPPED: what is typed on a terminal: ${missing.join(", ")} not installed`);

/** `waits` for a text on the screen, then types. */
type Step = { readonly waits: RegExp; readonly types: string };

type Screen = { readonly screen: string; readonly status: number | null };

/** A real terminal, and a shell that says afterwards how it is set. */
async function onTerminal(person: Person, argv: readonly string[], steps: readonly Step[]): Promise<Screen> {
  const words = [process.execPath, program, "tsh", ...argv].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["--quiet", "--return", "--command", `${words}; echo "ended $?"; stty -a`, "/dev/null"], {
    env: { PATH: process.env["PATH"], HOME: person.home, TERM: "xterm", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    let screen = "";
    let from = 0;
    const left = [...steps];
    child.stdout.setEncoding("utf8");
    return await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status) => resolve({ screen, status }));
      child.stdout.on("data", (text: string) => {
        screen += text;
        const [step] = left;
        const found = step === undefined ? null : step.waits.exec(screen.slice(from));
        if (step === undefined || found === null) return;
        from += found.index + found[0].length;
        left.shift();
        child.stdin.write(step.types);
      });
    });
  } finally {
    child.kill("SIGKILL");
  }
}

function expectRestored(screen: string): void {
  expect(screen).toMatch(/(?<!-)\becho\b/);
  expect(screen).toMatch(/(?<!-)\bicanon\b/);
  expect(screen).toMatch(/(?<!-)\bisig\b/);
}

describe.skipIf(missing.length > 0)("on a terminal", () => {
  it("a password and a code are typed unseen, and the terminal is as it was", async ({ person }) => {
    const argv = ["login", `--proxy=${person.proxy}`, "--user=alice", `--ca-file=${person.cluster.caFile}`];
    const { screen } = await onTerminal(person, argv, [
      { waits: /Password for alice at 127\.0\.0\.1:\d+, cluster example: /, types: `wrong${"\u007f".repeat(5)}${password}\r` },
      { waits: /One-time code[^:]*: /, types: "123 456\r" },
    ]);
    expect(screen).toContain("signed in");
    expect(screen).toContain("ended 0");
    for (const secret of [password, "wrong", "123 456", "123456"]) expect(screen).not.toContain(secret);
    expectRestored(screen);
  });

  it("Ctrl-C changes nothing, and the terminal is as it was", async ({ person }) => {
    const argv = ["login", `--proxy=${person.proxy}`, "--user=alice", `--ca-file=${person.cluster.caFile}`];
    const { screen } = await onTerminal(person, argv, [{ waits: /cluster example: /, types: "half of it\u0003" }]);
    expect(screen).toContain("it was stopped; nothing has been changed");
    expect(screen).toContain("ended 130");
    expect(screen).not.toContain("half of it");
    expect(existsSync(join(person.home, ".svc"))).toBe(false);
    expectRestored(screen);
  });

  it("a new password is typed twice, and asked for again where it is too short or another", async ({ person }) => {
    const link = `https://${person.proxy}/web/invite/${invitation}`;
    const chosen = "a new long password";
    const { screen } = await onTerminal(
      person,
      ["invite", `--ca-file=${person.cluster.caFile}`],
      [
        { waits: /Link of the invitation: /, types: `${link}\r` },
        { waits: /New password[^:]*: /, types: "too short\r" },
        { waits: /less than 12 characters\r?\nNew password[^:]*: /, types: `${chosen}\r` },
        { waits: /The same again: /, types: "another long password\r" },
        { waits: /two different ones\r?\nNew password[^:]*: /, types: `${chosen}\r` },
        { waits: /The same again: /, types: `${chosen}\r` },
        { waits: /Code that the app shows: /, types: "123456\r" },
      ],
    );
    expect(screen).toContain("the password of alice is set, and the codes are in use");
    expect(screen).toMatch(/[▀▄█]{10}/);
    for (const secret of [chosen, invitation, "another long"]) expect(screen).not.toContain(secret);
    expect(person.cluster.asked.at(-1)?.body).toMatchObject({ password: chosen });
    expectRestored(screen);
  });
});

const typed: readonly (readonly [string, string, ReturnType<typeof readTyped>])[] = [
  ["a line, and what comes behind it", "ab\rcd", { line: "ab", rest: "cd", isWhole: true, isStopped: false }],
  ["half a line", "ab", { line: "ab", rest: "", isWhole: false, isStopped: false }],
  ["erased characters, of more than one unit too", "a🔑\u007fb\bc\r", { line: "ac", rest: "", isWhole: true, isStopped: false }],
  ["a line that was given up", "abc\u0015d\n", { line: "d", rest: "", isWhole: true, isStopped: false }],
  ["keys that are no characters", "a\u001B[A\u001BOPb\u0001\r", { line: "ab", rest: "", isWhole: true, isStopped: false }],
  ["an interrupt", "ab\u0003cd\r", { line: "", rest: "", isWhole: false, isStopped: true }],
  ["an end at the beginning", "\u0004", { line: "", rest: "", isWhole: false, isStopped: true }],
  ["an end in the middle, which is none", "a\u0004b\r", { line: "ab", rest: "", isWhole: true, isStopped: false }],
];
it.each(typed)("takes %s for what it is", (_what, text, reading) => {
  expect(readTyped("", text)).toEqual(reading);
});
