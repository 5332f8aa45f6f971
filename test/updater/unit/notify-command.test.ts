import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import { judgeEnd, notificationEnd, notifyArgv, startNotification } from "../../../src/updater/unit/notify-command.ts";
import { scratchOfTest } from "../../machine/files/scratch.ts";
import { parseEnd } from "../../../src/updater/unit/transaction-end.ts";

const id = "0123456789abcdef0123456789abcdef";
const wanted = {
  id,
  directory: "/run/test",
  notify: { command: ["curl", "--data-binary", "@-", "https://x.test/$y"], credentials: [{ name: "token", file: "/etc/token" }] },
};
const exited = (status: number, stderr: string = "", stdout: string = ""): CommandResult => ({
  kind: "exited",
  status,
  stdout,
  stderr,
});

describe("the unit of a notification", () => {
  const argv = notifyArgv("svc-upgrade-notify-1.service", wanted);

  test("runs the command after all options, with dollars that systemd leaves as they are", () => {
    expect(argv.slice(-5)).toEqual(["--", "curl", "--data-binary", "@-", "https://x.test/$$y"]);
  });

  test.each([
    "DynamicUser=yes",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "PrivateTmp=yes",
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "RuntimeMaxSec=60",
    "TimeoutStopSec=5",
    "KillMode=control-group",
    "TasksMax=32",
    "MemoryMax=128M",
    "LimitFSIZE=1M",
    "LogRateLimitBurst=20",
    "StandardInput=file:/run/test/notify-0123456789abcdef0123456789abcdef.json",
    "LoadCredential=token:/etc/token",
  ])("confines it: %s", (property) => {
    expect(argv[argv.indexOf(property) - 1]).toBe("-p");
  });

  test("is not waited for, and gets no variable", () => {
    expect(argv).toContain("--no-block");
    expect(argv).not.toContain("--wait");
    expect(argv.join(" ")).not.toMatch(/setenv|EnvironmentFile/);
  });
});

describe("the start", () => {
  test("takes the next unit where one is there, and none where all are", async () => {
    const tried: string[] = [];
    const run = async ({ argv }: { readonly argv: readonly string[] }): Promise<CommandResult> => {
      tried.push(argv[1] ?? "");
      return tried.length === 2
        ? exited(0)
        : exited(1, "Failed to start transient service unit: Unit x.service already exists.\n");
    };
    expect(await startNotification(run, wanted)).toBe("started");
    expect(tried).toEqual(["--unit=svc-upgrade-notify-1.service", "--unit=svc-upgrade-notify-2.service"]);
    expect(await startNotification(run, wanted)).toBe("busy");
    expect(tried).toHaveLength(6);
  });

  test("finds programs of the administrator's own by their bare names, after the host's", async () => {
    const paths: (string | undefined)[] = [];
    await startNotification(async ({ env }) => (paths.push(env["PATH"]), exited(0)), wanted);
    expect(paths).toEqual(["/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin"]);
  });

  test("whose answer was lost is none, unless its unit is there", async () => {
    const lost = exited(1, "Failed to start transient service unit: Connection reset by peer");
    const shows =
      (text: string) =>
      async ({ argv }: { readonly argv: readonly string[] }) =>
        argv[0] === "systemctl" ? exited(0, "", text) : lost;
    expect(await startNotification(shows(`LoadState=loaded\nExecStopPost={ ${id} }\n`), wanted)).toBe("started");
    await expect(startNotification(shows("LoadState=not-found\n"), wanted)).rejects.toMatchObject({ code: "os-failed" });
  });

  test("of a program that is not there is a fault of the settings", async () => {
    const run = async (): Promise<CommandResult> => exited(1, "Failed to find executable nowhere: No such file or directory");
    await expect(startNotification(run, wanted)).rejects.toMatchObject({ code: "settings-invalid" });
  });
});

describe("the end", () => {
  test.each([
    ["exit-code\nexited\n22", { kind: "failed", why: "notify.command ended with status 22" }],
    [
      "exit-code\nexited\n203",
      { kind: "failed", why: "notify.command did not run: it or its interpreter is missing, or not for every user to execute" },
    ],
    [
      "exit-code\nexited\n243",
      { kind: "failed", why: "notify.command did not run: systemd could not hand it what notify.credentials names" },
    ],
    ["exit-code\nexited\n226", { kind: "failed", why: "notify.command did not run: systemd could not set it up (status 226)" }],
    ["timeout\nkilled\nTERM", { kind: "failed", why: "notify.command was ended by SIGTERM; it has 60 seconds" }],
    ["oom-kill\nkilled\nKILL", { kind: "failed", why: "notify.command was ended by SIGKILL for lack of memory" }],
    ["resources\n\n", { kind: "failed", why: "notify.command did not run: systemd says: resources" }],
  ])("%j is %j", (written, judged) => {
    const end = parseEnd(`${id}\n${written}\n`, id);
    expect(end && judgeEnd(end)).toEqual(judged);
  });

  test.runIf(process.getuid?.() === 0)("that is written is known without asking anybody", async () => {
    const directory = scratchOfTest();
    writeFileSync(`${directory}/notify-${id}.end`, `${id}\nsuccess\nexited\n0\n`);
    expect(await notificationEnd(() => Promise.reject(new Error("asked")), { id, directory })).toEqual({ kind: "delivered" });
  });

  test("that is not written is running, as far as nobody says otherwise", async () => {
    expect(await notificationEnd(async () => exited(1, "no"), { id, directory: "/nowhere" })).toEqual({ kind: "running" });
  });
});
