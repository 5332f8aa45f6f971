import { describe, expect, test } from "vitest";
import { portsAlone } from "../../../../src/updater/cli/wiring/ports-alone.ts";
import { pathsBelow } from "../../../../src/machine/files/paths.ts";
import type { PassPorts } from "../../../../src/updater/pass/pass.ts";
import { prepare } from "../../../../src/updater/sources/settings.ts";
import type { Endpoint } from "../../../../src/rules/settings/settings.ts";
import { makeRoot, type Root } from "../given.ts";

const asked = { when: "timer", absent: "stop" } as const;

type Below = { readonly root: Root; readonly ports: PassPorts; readonly said: readonly string[] };

/** The ports of a pass below another root, whose settings are read at this moment. */
async function portsBelow(hold: string): Promise<Below> {
  const root = makeRoot();
  root.write("etc/svc-upgrade/90-hold.yaml", hold);
  const said: string[] = [];
  const log = (level: string, sentence: string): void => void said.push(`${level}: ${sentence}`);
  const paths = pathsBelow(root.path);
  const sources = { paths, environment: {}, flags: [], ownerUid: process.getuid?.() ?? 0, log };
  const { settings, agentPaths, rows } = await prepare(sources);
  const scope = { paths, agentPaths, settings, rows, endpoint: "https://svc.test" as Endpoint, proxies: {}, log, sources };
  return { root, ports: portsAlone({ ...scope, stopping: new AbortController().signal }, "a pass", asked), said };
}

describe("the hold, while a pass is under way", () => {
  test.each([
    ["set", "", "hold: {reason: freeze}\n", { until: undefined, reason: "freeze" }],
    ["lifted", "hold: {reason: freeze}\n", "", undefined],
    ["as it was", "hold: {reason: freeze}\n", "hold: {reason: freeze}\n", { until: undefined, reason: "freeze" }],
  ])("is %s by what the settings say at that moment", async (_how, before, after, hold) => {
    const { root, ports, said } = await portsBelow(before);
    root.write("etc/svc-upgrade/90-hold.yaml", after);
    expect(await ports.readOrders()).toEqual({ hold, pin: undefined });
    expect(said).toEqual([]);
  });

  test("has the pin beside it", async () => {
    const { root, ports } = await portsBelow("");
    root.write("etc/svc-upgrade/90-pin.yaml", "pin: {version: 15.4.6}\n");
    expect(await ports.readOrders()).toEqual({ hold: undefined, pin: { version: "15.4.6", reason: undefined } });
  });

  test.each([
    ["are half written", "hold: {rea"],
    ["are wrong", "hold: 7\n"],
  ])("stays as it was where the settings %s, and that is told", async (_how, after) => {
    const { root, ports, said } = await portsBelow("hold: {reason: freeze}\n");
    root.write("etc/svc-upgrade/90-hold.yaml", after);
    expect((await ports.readOrders()).hold).toEqual({ until: undefined, reason: "freeze" });
    expect(said).toEqual(["warning: the settings cannot be read again; they count as they did when the pass began"]);
  });
});

describe("the agent's unit, below another root", () => {
  test("is left alone, and has nothing to prove", async () => {
    const { ports } = await portsBelow("");
    const watch = await ports.acting.watchUnit();
    expect(watch.before).toBe("unknown");
    expect(await watch.activate()).toBe("its unit was left alone, as always below another root");
    await watch.proveHealth();
    expect(await watch.lastLines()).toEqual([]);
    await ports.acting.awaitTransaction("to-its-end");
  });
});
