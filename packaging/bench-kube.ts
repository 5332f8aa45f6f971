/**
 * npm run bench:kube [-- OBJECTS [MINUTES]] measures one svc-kube-updater that follows that many labelled objects of three pods each, on a real
 * control plane (`npm run kube:lab -- build`): its requests and its memory when nothing happens, while one object moves, while all move, and while
 * the API server is away. Uses dist/svc-kube-updater-<architecture> if that was built, otherwise the source.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../test/system/lab/until.ts";
import { commitNow } from "./bench/cluster/stage.ts";
import { openStage, referenceOf, settleSeconds, type Stage, type Updater } from "./bench/kube/stage.ts";
import { isRead, isWrite, printRequests, type Request } from "./bench/kube/requests.ts";
import { mebibytes, memoryOf } from "./bench/memory.ts";
import { settleFile } from "./bench/measure.ts";
import { processorTimeOf } from "./bench/processor-time.ts";
import { runScript } from "./script.ts";

const usualObjects = 1000;
/** How long the phases without changes and the phase without the API server each take. */
const usualMinutes = 3;
const longestMs = 7_200_000;
/** The updater counts as idle after this time without requests. */
const restSeconds = 10;

type Row = {
  readonly what: string;
  readonly took: string;
  readonly processor: string;
  readonly memory: string;
  readonly asked: string;
};

await runScript(async () => {
  const objects = Number(process.argv[2] ?? usualObjects);
  const quietMinutes = Number(process.argv[3] ?? usualMinutes);
  if (!Number.isInteger(objects) || objects < 2 || !(quietMinutes > 0)) {
    throw new Error(
      "npm run bench:kube -- OBJECTS MINUTES, a whole number from 2 on, and for how long it is left alone each time",
    );
  }
  const stage = await openStage(objects);
  try {
    console.log(
      `Measured: ${stage.programName}, at ${commitNow() ?? "an unknown commit"}. ${objects} objects, ${3 * objects} pods.\n`,
    );
    await measureAll(stage, { objects, quietMinutes });
  } finally {
    await stage.close();
  }
});

type Measuring = { readonly objects: number; readonly quietMinutes: number };

async function measureAll(stage: Stage, { objects, quietMinutes }: Measuring): Promise<void> {
  const { admin, requests, way, versions } = stage;
  settleFile(stage.program[0]);
  await schedule(stage, 12);
  const updater = stage.start();
  const rows: Row[] = [];
  const measured = async (what: string, play: () => Promise<unknown>): Promise<readonly Request[]> => {
    const [beganMs, processor] = [performance.now(), processorTimeOf(updater.processId)];
    await play();
    const asked = requests.since();
    const seconds = (performance.now() - beganMs) / 1000;
    const worked = (processorTimeOf(updater.processId) - processor) / 1e6;
    const memory = `${mebibytes(memoryOf(updater.processId))}, ${mebibytes(memoryOf(updater.processId, "RssAnon"))}`;
    rows.push({
      what,
      took: `${seconds.toFixed(0)} s`,
      processor: `${worked.toFixed(2)} s`,
      memory,
      asked: printRequests(asked),
    });
    console.error(`${what}: ${seconds.toFixed(0)} s, ${worked.toFixed(2)} s of processor, ${memory}; ${printRequests(asked)}`);
    return asked;
  };
  const quiet = (): Promise<void> => sleep(quietMinutes * 60_000);

  await measured("its first look at all", () => atRest(stage, objects));
  const idle = await measured("nothing happens", quiet);
  if (idle.some((one) => isRead(one) || isWrite(one))) throw new Error(`idle, it asked for ${printRequests(idle)}`);

  await versions.serves("v15.4.6");
  await sleep(5000);
  await measured("another version is served, outside of the window", async () => {
    await admin(["annotate", referenceOf(0), "debug.svc.dev/trigger-event=1"]);
    await until("all say so", longestMs, () => (says(updater, /reason=outside-window/g) >= objects ? true : undefined));
    await atRest(stage, objects);
  });
  const one = await measured("one object moves (`svc.dev/run-now`)", async () => {
    await admin(["annotate", referenceOf(0), `svc.dev/run-now=${new Date().toISOString().replace(/\.\d+/, "")}`]);
    await until("it has moved", longestMs, () => (says(updater, /^upgraded /gm) === 1 ? true : undefined));
    await atRest(stage, objects);
  });
  await way.cut();
  await measured("the API server is away", quiet);
  await way.restore();
  await measured("it is back", async () => {
    await until("it is seen again", longestMs, () => (says(updater, /it can be watched again/g) > 0 ? true : undefined));
    await admin(["annotate", "--overwrite", referenceOf(1), "debug.svc.dev/trigger-event=2"]);
    await until("it looks", longestMs, () => (says(updater, /a look was asked for by debug/g) > 1 ? true : undefined));
    await atRest(stage, objects);
  });

  // The longest phase, so it comes last.
  await measured("the window opens, and all others move", async () => {
    await schedule(stage, 0);
    await until("all have moved", longestMs, () => (says(updater, /^upgraded /gm) >= objects ? true : undefined));
    await atRest(stage, objects);
  });
  await hasMoved(stage, objects);
  console.log(`| with ${objects} objects and ${3 * objects} pods | took | of processor | resident then, of it its own and no file's | requests |
|---|---|---|---|---|
${rows.map(({ what, took, processor, memory, asked }) => `| ${what} | ${took} | ${processor} | ${memory} | ${asked} |`).join("\n")}

Most ever resident: ${mebibytes(memoryOf(updater.processId, "VmHWM"))}. One move took ${one.filter(isWrite).length} writes. A version has to stay well for ${settleSeconds} seconds here.`);
}

function says({ log }: Updater, what: RegExp): number {
  return [...log().matchAll(what)].length;
}

/** Waits until each object has a record and no more requests come. */
async function atRest({ admin, requests }: Stage, objects: number): Promise<void> {
  await until("every object has a record", longestMs, async () => {
    const found = await admin(["get", "configmaps", "--selector=svc.dev/updater=bench", "--output=name"]);
    if (found.trim().split("\n").length === objects) return true;
    // Waits, so that these questions do not load the busy control plane.
    await sleep(2000);
    return undefined;
  });
  for (let before = -1; before !== requests.bytes();) {
    before = requests.bytes();
    await sleep(restSeconds * 1000);
  }
}

/** Sets a window of one hour that opens in that many hours. */
async function schedule({ admin }: Stage, hours: number): Promise<void> {
  const at = (hour: number): string => new Date(Date.now() + hour * 3_600_000 - 60_000).toISOString();
  const windows = [{ start: at(hours), stop: at(hours + 1) }];
  await admin(["apply", "--filename=-"], {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "release-shared-state" },
    stringData: { "agent-maintenance-schedule": JSON.stringify({ windows }) },
  });
}

/** Checks that the objects have moved. */
async function hasMoved({ admin }: Stage, objects: number): Promise<void> {
  const path = "{range .items[*]}{.spec.template.spec.containers[0].image} {.status.readyReplicas}{'\\n'}{end}";
  const found = (await admin(["get", "statefulsets,deployments", `--output=jsonpath=${path}`])).trim().split("\n");
  const right = found.filter((line) => line === "svc:15.4.6 3").length;
  if (right !== objects) throw new Error(`${right} of ${objects} objects run 15.4.6 with all their pods`);
  const told = await admin([
    "get",
    "configmaps",
    "--selector=svc.dev/updater=bench",
    "--output=jsonpath={.items[*].data.status}",
  ]);
  const current = told.match(/^reason: current$/gm)?.length ?? 0;
  if (current !== objects) throw new Error(`${current} of ${objects} records say that it is current`);
}
