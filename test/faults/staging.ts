import type { StepName } from "../../src/updater/record/state.ts";
import type { AgentOptions } from "../system/lab/agent.ts";
import type { Host } from "../system/lab/host.ts";
import { downgradePackage } from "../system/lab/package-tools.ts";
import { configure } from "../system/updater.ts";
import { beginPass, endOfPass } from "./pass.ts";
import { lastPassId } from "./record.ts";
import type { Stage } from "./stage.ts";
import { changeBegins, stepBegins } from "./watch-step.ts";

/** The version after the last one is there and served. */
export async function serveNext(stage: Stage, options: Omit<AgentOptions, "version"> = {}): Promise<string> {
  const version = await stage.publish(options);
  serve(stage, version);
  return version;
}

export function serve({ versions }: Stage, version: string): void {
  versions.serve("default", { version: `v${version}` });
}

/** Settings that hold while the work goes on. */
export async function withSettings<T>({ host }: Stage, settings: string, work: () => Promise<T>): Promise<T> {
  await configure(host, settings, "60-row");
  try {
    return await work();
  } finally {
    await host.mustRun(["rm", "-f", "/etc/svc-upgrade/60-row.yaml"]);
  }
}

export type Passed = { readonly status: number; readonly before: string | undefined };

/** One pass, in the middle of which something happens. */
export async function passWith({ host }: Stage, step: StepName, happens: () => Promise<unknown>): Promise<Passed> {
  const before = lastPassId(host);
  await beginPass(host);
  await (step === "install" ? changeBegins(host) : stepBegins(host, step));
  await happens();
  return { status: await endOfPass(host), before };
}

/** A drop-in of the agent's unit, as an admin writes one. */
export async function dropIn(host: Host, text: string): Promise<{ readonly remove: () => Promise<void> }> {
  const file = "/etc/systemd/system/svc.service.d/row.conf";
  await host.write(file, text);
  await host.mustRun(["systemctl", "daemon-reload"]);
  return {
    remove: async () => {
      await host.mustRun(["rm", file]);
      await host.mustRun(["systemctl", "daemon-reload"]);
    },
  };
}

/** What docs/reasons-and-faults.md says to do once a person has looked. */
export async function retry({ host }: Stage): Promise<void> {
  await host.mustRun(["svc-upgrade", "retry"]);
}

/** Puts the version of before in place with the package manager, starts the agent, and lets passes go on: after a call for a person. */
export async function mendByHand(stage: Stage): Promise<void> {
  const { host } = stage;
  await downgradePackage(host, "svc-ent", stage.current());
  await host.run(["systemctl", "reset-failed", "svc.service"]);
  await host.mustRun(["systemctl", "restart", "svc.service"]);
  await retry(stage);
}
