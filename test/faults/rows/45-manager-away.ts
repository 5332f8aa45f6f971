import { doesNotMatch, equal, match, ok } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { StepName } from "../../../src/updater/record/state.ts";
import type { Host } from "../../system/lab/host.ts";
import { expectEnded } from "../expect-pass.ts";
import { tell } from "../honest.ts";
import { beginRun } from "../follow.ts";
import { steps } from "../kill-table.ts";
import { endOfPass } from "../pass.ts";
import { lastPassId, recordOf } from "../record.ts";
import { inEachFamily, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serveNext } from "../staging.ts";
import { stepBegins } from "../watch-step.ts";

const awaySeconds = 6;

/** What an upgrade of the host's own service manager, or of its bus, does to whoever asks them something. */
const absences: Readonly<Record<string, (host: Host) => Promise<void>>> = {
  "systemd executes itself anew": async (host) => {
    const { status, stderr } = await host.enter(["systemctl", "daemon-reexec"]);
    // It may be gone before it has answered.
    ok(status === 0 || /reset|closed|timed out|not connected/i.test(stderr), stderr);
  },
  [`the bus is away for ${awaySeconds} seconds`]: async (host) => {
    await mustEnter(host, ["systemctl", "stop", "dbus.socket", "dbus.service"]);
    await sleep(awaySeconds * 1000);
    await mustEnter(host, ["systemctl", "start", "dbus.socket", "dbus.service"]);
  },
};

/** In each step, of a version that does well; on the rollback, of one that crashes. The pass goes on, and tells what is true. */
export const managerAway: Row = {
  scenarios: Object.entries(absences).flatMap(([name, happens]) =>
    steps.flatMap((step) =>
      inEachFamily(45, `${name} at ${step}`, (stage) =>
        step.startsWith("back-") ? awayOnTheWayBack(stage, step, happens) : awayOnTheWay(stage, step, happens),
      ),
    ),
  ),
  unstaged: [],
};

async function awayOnTheWay(stage: Stage, step: StepName, happens: (host: Host) => Promise<void>): Promise<void> {
  const { host } = stage;
  const version = await serveNext(stage);
  const { passed, followed } = await passWithAbsence(host, step, happens);
  await expectEnded(stage, passed, { status: 0, outcome: { kind: "moved" }, why: "asked", version });
  equal(followed.status, 0, `whoever follows is told: ${followed.stderr}`);
  match(followed.stdout, /^upgraded \(/);
  doesNotMatch(followed.stderr, /without a record|fault=/);
}

/** An agent that crashes is ill whatever is away; it may be gone before it counts as activated. */
async function awayOnTheWayBack(stage: Stage, step: StepName, happens: (host: Host) => Promise<void>): Promise<void> {
  const { host } = stage;
  const version = await serveNext(stage, { start: "crashes" });
  const { passed, followed } = await passWithAbsence(host, step, happens);
  const { outcome } = await expectEnded(stage, passed, { status: 10, outcome: { kind: "undone" }, why: "asked" });
  ok(outcome.kind === "undone" && ["activate-failed", "unhealthy"].includes(outcome.fault.code), tell(outcome));
  equal(followed.status, 10, `whoever follows is told: ${followed.stderr}`);
  doesNotMatch(followed.stderr, /without a record|fault=os-failed/);
  ok(
    recordOf(host).rejected.some(({ served }) => served === version),
    "the version that crashed is not remembered",
  );
}

async function passWithAbsence(host: Host, step: StepName, happens: (host: Host) => Promise<void>) {
  const before = lastPassId(host);
  const following = await beginRun(host);
  await stepBegins(host, step);
  await happens(host);
  const followed = await following.end();
  return { passed: { status: await endOfPass(host), before }, followed };
}

async function mustEnter(host: Host, argv: readonly string[]): Promise<void> {
  const { status, stderr } = await host.enter(argv);
  equal(status, 0, stderr);
}
