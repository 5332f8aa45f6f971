import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { layTraps, securityPage, sprung, steeringVariables, traps, trapSource, type Steering } from "../steering-variables.ts";
import { installBuilt } from "./built-package.ts";
import { hostileHost } from "./hostile/play.ts";
import type { Host } from "./lab/host.ts";
import { mustRun, type ProgramResult } from "./lab/program.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { withUpdater } from "./updater.ts";

const bookworm = withUpdater({ suite: "bookworm", besides: ["sudo"] });

type Caller = (argv: readonly string[], variable?: Steering) => Promise<ProgramResult>;

/** Who waits for a pipe is ended. */
const patience = ["timeout", "--kill-after=1", "20"] as const;

/** As root, in root's own shell. */
function directly(host: Host): Caller {
  return (argv, variable) => {
    const env = variable === undefined ? {} : { env: { [variable.name]: variable.value } };
    return host.run([...patience, ...argv], env);
  };
}

/** By sudo, as one who may set any variable there: the C library takes some of them away from sudo's own environment. */
function throughSudo(host: Host): Caller {
  return (argv, variable) => {
    const set = variable === undefined ? [] : [`${variable.name}=${variable.value}`];
    return host.run([...patience, "sudo", ...set, ...argv], { user: "ordinary" });
  };
}

async function trappedHost(stage: Stage): Promise<readonly (readonly string[])[]> {
  const { host, versions } = stage;
  await hostileHost(stage);
  await installBuilt(host, "svc-proxy");
  await host.mustRun(["sh", "-c", layTraps]);
  const library = join(host.directory, "trap.so");
  await mustRun(["gcc", "-shared", "-fPIC", "-x", "c", "-o", library, "-"], { input: trapSource });
  await host.copyIn(library, "/tmp/trap.so", { mode: "0755" });
  await host.write("/root/proxy.yaml", "proxy_service:\n  public_addr: proxy.example.com:443\n");
  const programs = "/usr/bin/svc-upgrade, /usr/bin/svc-proxy";
  const rules = `Defaults !env_reset\nordinary ALL=(root) NOPASSWD: SETENV: ${programs}\n`;
  await host.write("/etc/sudoers.d/ordinary", rules, { mode: "0440" });
  // By its name, which the host's resolver has to be asked for.
  const endpoint = `http://outer.test:${new URL(versions.httpEndpoint).port}`;
  return [
    ["/usr/bin/svc-upgrade", "dry-run", "--endpoint", endpoint],
    ["/usr/bin/svc-upgrade", "schedule"],
    ["/usr/bin/svc-proxy", "check", "--config", "/root/proxy.yaml"],
  ];
}

describe.each([
  ["root", directly],
  ["a sudoer who may set variables", throughSudo],
] as const)("each variable by which the runtime can be steered, set by %s", (_who, callerOn) => {
  test(
    "changes nothing of what a command does and says, loads nothing and writes nothing",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      const commands = await trappedHost(stage);
      const call = callerOn(host);
      for (const argv of commands) {
        const wanted = seen(await call(argv));
        expect([argv, wanted]).toEqual([argv, expect.objectContaining({ status: 0, left: "" })]);
        const steered = [];
        for (const variable of steeringVariables) {
          const ended = await call(argv, variable);
          const left = await host.run(["sh", "-c", `ls -d ${sprung.join(" ")} 2>/dev/null; rm -rf ${sprung.join(" ")}`]);
          steered.push({ variable: variable.name, ...withoutWhatRemains(variable, wanted, seen(ended, left.stdout)) });
        }
        expect(steered).toEqual(steeringVariables.map((variable) => ({ variable: variable.name, ...wanted })));
      }
    }),
  );
});

test(
  "a library that a sudoer preloads never gets through a sudo that keeps the environment",
  scenario(bookworm, async (stage) => {
    const { host } = stage;
    await trappedHost(stage);
    for (const name of ["LD_PRELOAD", "LD_AUDIT"]) {
      const shell = `export ${name}=/tmp/trap.so; exec sudo --preserve-env /usr/bin/svc-upgrade version`;
      expect(await host.mustRun(["sh", "-c", shell], { user: "ordinary" })).toMatch(/^svc-upgrade /);
      // The shell's own children are loaded with it: sudo, and whatever it starts, are not.
      expect([name, (await host.run(["find", traps, "-name", "loaded", "-user", "root"])).stdout]).toEqual([name, ""]);
    }
  }),
);

test(
  "what SECURITY.md says of sudoers is so, and the rule that it shows lets in what it names and nothing else",
  scenario(bookworm, async (stage) => {
    const { host } = stage;
    await hostileHost(stage);
    const sudoers = (rule: string): Promise<void> => host.write("/etc/sudoers.d/ordinary", rule, { mode: "0440" });
    const sudo = (...words: readonly string[]): Promise<ProgramResult> =>
      host.run(["sudo", "--non-interactive", ...words], { user: "ordinary" });
    await sudoers("ordinary ALL=(root) NOPASSWD: SETENV: /usr/bin/svc-upgrade\n");
    expect((await sudo("/usr/bin/svc-upgrade", "schedule", "/etc/shadow")).stdout).toContain("line 1 reads");

    const shown = /\n {4}(Cmnd_Alias .*)\n {4}(%operators .*)\n/.exec(securityPage);
    await sudoers(`${shown?.[1]}\n${shown?.[2]?.replace("%operators", "ordinary")}\n`);
    expect((await sudo("/usr/bin/svc-upgrade", "hold")).status).toBe(0);
    expect((await sudo("/usr/bin/svc-upgrade", "unhold")).status).toBe(0);
    for (const words of [["schedule", "/etc/shadow"], ["hold", "--root", "/"], ["run", "--install"], ["enroll"]]) {
      const { status, stderr } = await sudo("/usr/bin/svc-upgrade", ...words);
      expect([words, status, stderr]).toEqual([words, 1, expect.stringContaining("a password is required")]);
    }
  }),
);

test(
  "a program or a file that a sudoer names in a variable that sudo keeps is refused, and nothing is started, read or written",
  scenario(bookworm, async (stage) => {
    const { host } = stage;
    await hostileHost(stage);
    await host.write(
      "/etc/sudoers.d/ordinary",
      'Defaults env_keep += "SVC_UPGRADE_*"\nordinary ALL=(root) NOPASSWD: /usr/bin/svc-upgrade dry-run, /usr/bin/svc-upgrade config\n',
      { mode: "0440" },
    );
    const sudo = (command: string, env: Readonly<Record<string, string>>): Promise<ProgramResult> =>
      host.run(["sudo", "--non-interactive", "/usr/bin/svc-upgrade", command], { user: "ordinary", env });
    const user = (await host.mustRun(["id", "--user", "ordinary"])).trim();
    const programs = {
      SVC_UPGRADE_AGENT_VERSION_COMMAND: "/usr/bin/touch /tmp/made",
      SVC_UPGRADE_HEALTH_COMMAND: "/usr/bin/true",
    };
    const refused = await sudo("dry-run", {
      ...programs,
      SVC_UPGRADE_CA_FILE: "/etc/shadow",
      SVC_UPGRADE_METRICS_FILE: "/root/x.prom",
    });
    expect([refused.status, refused.stderr]).toEqual([78, expect.stringContaining("4 settings are wrong")]);
    for (const [key, what] of [
      ["AGENT_VERSION_COMMAND: agent.version_command", "a program"],
      ["HEALTH_COMMAND: health.command", "a program"],
      ["CA_FILE: ca_file", "a file"],
      ["METRICS_FILE: metrics_file", "a file"],
    ]) {
      expect(refused.stderr).toContain(
        `SVC_UPGRADE_${key}: ${what} that user ${user} through sudo names (allowed: a value that root`,
      );
    }
    expect((await host.run(["stat", "/tmp/made"])).status).toBe(1);

    expect((await sudo("config", { SVC_UPGRADE_CHANNEL: "kept" })).stdout).toMatch(/^channel: "kept" +# SVC_UPGRADE_CHANNEL$/m);
    expect((await host.run(["sudo", "/usr/bin/svc-upgrade", "dry-run"], { env: programs })).stderr).not.toContain("wrong");
    expect(await host.mustRun(["stat", "--format=%U", "/tmp/made"])).toBe("root\n");
  }),
);

type Seen = { readonly status: number; readonly stdout: string; readonly stderr: string; readonly left: string };

function seen({ status, stdout, stderr }: ProgramResult, left: string = ""): Seen {
  return { status, stdout: timeless(stdout), stderr: timeless(stderr), left };
}

/** How long ago, and how long it took. */
function timeless(text: string): string {
  return text.replace(/\d+ (ms|s|seconds?|minutes?|hours?)\b/g, "TIME").replace(/\d{4}-\d\d-\d\d[T ][\d:]+/g, "TIME");
}

/** 124 is the end of whoever waits for a pipe. */
function withoutWhatRemains({ remains }: Steering, wanted: Seen, found: Seen): Seen {
  if (remains === "lines on stderr") return { ...found, stderr: wanted.stderr };
  if (remains === "ends the program" && found.status !== 0 && found.status !== 124) return { ...wanted, left: found.left };
  return found;
}
