import { describe, expect, test, vi } from "vitest";
import { startAnew } from "../../../src/machine/program/start-anew.ts";
import { steeringVariables } from "../../steering-variables.ts";

const harmless = {
  PATH: "/usr/bin",
  TERM: "linux",
  SVC_UPGRADE_LOG_LEVEL: "debug",
  HTTPS_PROXY: "http://proxy",
  NODENAME: "web1",
};

/** What the process did: an executable's, unless said. */
function started(env: Readonly<Record<string, string>>, isSea: boolean = true): readonly unknown[] {
  const done: unknown[] = [];
  const execve = (...given: readonly unknown[]): never => done.push(...given) as never;
  const modules = { "node:sea": { isSea: () => isSea }, "node:v8": { stopCoverage: () => done.push("stopped") } };
  const getBuiltinModule = vi.fn((name: keyof typeof modules) => modules[name]) as never;
  startAnew({
    argv0: "svc-upgrade",
    argv: ["/usr/bin/svc-upgrade", "svc-upgrade", "run", "--now"],
    env,
    execPath: "/usr/bin/svc-upgrade",
    execve,
    getBuiltinModule,
  });
  return done;
}

describe("a process with variables that steer its runtime", () => {
  test.each(
    steeringVariables
      .filter(({ units }) => units === undefined)
      .map(({ name }) => name)
      .filter((name) => !name.startsWith("SSL_CERT_")),
  )("begins anew without %s, with the same arguments and all other variables", (name) => {
    const done = started({ ...harmless, [name]: "1" }).filter((one) => one !== "stopped");
    expect(done).toEqual(["/usr/bin/svc-upgrade", ["svc-upgrade", "run", "--now"], harmless]);
  });

  test("writes down nothing of what its runtime has counted", () => {
    expect(started({ NODE_V8_COVERAGE: "/tmp/coverage" })[0]).toBe("stopped");
  });

  test("goes on where it is no executable of its own: the variables are a developer's", () => {
    expect(started({ ...harmless, NODE_OPTIONS: "--inspect" }, false)).toEqual([]);
  });
});

test("a process without any goes on as it is", () => {
  expect(started({ ...harmless, SSL_CERT_FILE: "/etc/ssl/own.pem", UV_THREADPOOL_SIZE: "16", TZ: "UTC" })).toEqual([]);
});
