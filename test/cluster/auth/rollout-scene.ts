import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Answer } from "./ask.ts";
import { call } from "./hosts.ts";
import { startWithPeople, type WithPeople } from "./people.ts";
import type { Changes } from "./running.ts";

export type Word = {
  readonly number: number;
  readonly state: string;
  readonly target: string;
  readonly threshold: number;
  readonly ids: readonly string[];
  readonly unsettled?: boolean;
};

export type ReportingHost = {
  readonly id: string;
  /** Reports, and returns the note of the answer. */
  readonly says: (installed: string, outcome?: object, more?: object) => Promise<string>;
};

export type WithRollouts = WithPeople & {
  /** What its proxy, which serves v15.4.5, is told. */
  readonly words: () => Promise<readonly Word[]>;
  readonly host: (env: string) => Promise<ReportingHost>;
  /** Writes the rollout `agents` of the channel `default` to v15.4.6. */
  readonly write: (spec?: object, name?: string) => Promise<Answer>;
  readonly steer: (action: string, more?: object) => Promise<Answer>;
  /** The same, once its first host, a canary, was told. */
  readonly moving: (spec?: object) => Promise<ReportingHost>;
};

export const stages = [
  { name: "canary", select: { labels: { env: "canary" } }, soak: "1s" },
  { name: "rest", select: "others", soak: "1s" },
];

export function rollout(spec: object = {}, name: string = "agents"): object {
  const usual = { channel: "default", target: "v15.4.6", stages };
  return { kind: "rollout", version: "v1", metadata: { name }, spec: { ...usual, ...spec } };
}

export function wordsIn(body: unknown): readonly Word[] {
  return ((body as { readonly words?: readonly string[] }).words ?? []).map((text) => JSON.parse(text) as Word);
}

/** Auth with a proxy that serves v15.4.5, and hosts that report. */
export async function startWithRollouts({ limits, ...changes }: Changes = {}): Promise<WithRollouts> {
  const running = await startWithPeople({ limits: { rolloutMs: 20, ...limits }, ...changes });
  const { ask } = running;
  const served = { default: "v15.4.5", other: "none" };
  const words = async (): Promise<readonly Word[]> =>
    wordsIn((await call(running.proxy.trusting, "RolloutService/GetWords", { served })).body);
  const host = async (env: string): Promise<ReportingHost> => {
    const { id, trusting } = await running.join("node");
    await ask("InstanceService/LabelInstance", { id, labels: { env } });
    const bootId = randomUUID();
    let counter = 0;
    return {
      id,
      says: async (installed, outcome, more = {}) => {
        counter += 1;
        const about = { kind: "unit", package: "agent", channel: "default", installed, served: installed };
        const updater = { ...about, asksAs: `host-${id}`, outcome, ...more };
        const body = { bootId, counter, hostname: `web-${env}`, services: ["node"], version: "15.4.5", updater };
        const { status, body: answer } = await call(trusting, "InventoryService/Report", body);
        expect(status).toBe(200);
        return (answer as { readonly note?: string }).note ?? "";
      },
    };
  };
  const write: WithRollouts["write"] = (spec, name) => ask("ResourceService/UpsertResource", { resource: rollout(spec, name) });
  return {
    ...running,
    words,
    host,
    write,
    steer: (action, more = {}) => ask("RolloutService/SteerRollout", { channel: "default", action, ...more }),
    moving: async (spec) => {
      const canary = await host("canary");
      await canary.says("15.4.5");
      await words();
      expect((await write(spec)).status).toBe(200);
      await expect.poll(async () => (await words())[0]).toMatchObject({ state: "moving", ids: [`host-${canary.id}`] });
      return canary;
    },
  };
}
