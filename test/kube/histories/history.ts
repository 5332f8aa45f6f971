import * as fc from "fast-check";
import { recordName } from "../../../src/kube/objects/object-lift.ts";
import { readKept, type Kept } from "../../../src/kube/objects/record.ts";
import { annotationOf } from "../../../src/kube/objects/seen.ts";
import { printInstant } from "../../../src/rules/window/instant.ts";
import { Cluster } from "./cluster.ts";
import { healths, isGood, type Health, type Place } from "./parts.ts";
import { faults, Updater, type Fault, type Planted } from "./updater.ts";
import { isSettled, type Workload } from "./workload.ts";

const troubles = [
  "nothing",
  "a node is away",
  "nobody reaches the API server",
  "the updater does not reach it",
  "controllers stand still",
  "no pod can be made",
  "the version server is away",
  "its watch of pods is behind",
  "its watch of objects is behind",
  "a second updater runs",
] as const;
const acts = [
  "a person goes back",
  "a tool sets its image",
  "restarted",
  "scaled",
  "a partition",
  "paused",
  "suspended",
  "run-now",
  "retry",
  "rollback",
  "made anew",
  "a container is unready for a while",
  "a pod is deleted",
] as const;

export type Happening =
  | { readonly what: "serves"; readonly health: Health }
  | { readonly what: Fault | "the updater is killed" | "its clock leaps" }
  | { readonly what: (typeof troubles)[number]; readonly seconds: number }
  | { readonly what: (typeof acts)[number]; readonly which: number; readonly number: number };

/** How long the next thing that happens is waited for. */
type Timed = Happening & { readonly wait: number };

export type History = { readonly places: readonly Place[]; readonly happened: readonly Timed[] };

const wait = fc.constantFrom(5, 10, 20, 40, 60, 100, 200, 400, 700);
const lasting = fc.constantFrom(10, 40, 100, 300, 700, 1300);
const place = (index: number): fc.Arbitrary<Place> =>
  fc.record({
    kind: fc.constantFrom("StatefulSet", "Deployment"),
    name: fc.constant(`agent${"abc"[index]}`),
    isParallel: fc.boolean(),
    // A pod that flaps is ready for less than the longer one.
    minReadySeconds: fc.constantFrom(0, 25),
  });
const happening: fc.Arbitrary<Timed> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant("serves"), health: fc.constantFrom(...healths), wait }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom(...faults, "the updater is killed", "its clock leaps"), wait }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom(...troubles), seconds: lasting, wait }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom(...acts), which: fc.nat(2), number: fc.nat(4), wait }) },
) as fc.Arbitrary<Timed>;

export const histories: fc.Arbitrary<History> = fc.record({
  places: fc.integer({ min: 1, max: 3 }).chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => place(index)))),
  happened: fc.array(happening, { minLength: 1, maxLength: 40, size: "max" }),
});

/** Plays a history and the quiet after it; throws where a promise is broken. */
export async function play({ places, happened }: History, planted?: Planted): Promise<void> {
  const one = new Played(places, planted);
  await one.wait(120);
  for (const each of happened) {
    one.happens(each);
    await one.wait(each.wait);
  }
  await one.rest();
}

class Played {
  readonly #cluster: Cluster;
  readonly #updater: Updater;
  readonly #planted: Planted | undefined;
  #second: Updater | undefined;
  #secondUntil = 0;
  #served = 5;
  #troubled = 0;
  readonly #due: { readonly at: number; readonly mend: () => void }[] = [];

  constructor(places: readonly Place[], planted: Planted | undefined) {
    this.#cluster = new Cluster(places);
    this.#planted = planted;
    this.#updater = new Updater(this.#cluster, planted);
  }

  async wait(seconds: number): Promise<void> {
    const end = this.#cluster.now + seconds;
    while (this.#cluster.now < end) await this.#tick();
  }

  happens(one: Happening): void {
    const cluster = this.#cluster;
    const updater = this.#updater;
    if ("health" in one) {
      this.#served += 1;
      cluster.served = `15.4.${this.#served}`;
      cluster.images.set(cluster.served, one.health);
      updater.wake();
    } else if ("which" in one) this.#act(one, cluster.workloads[one.which % cluster.workloads.length]!);
    else if ("seconds" in one) this.#trouble(one);
    else if (one.what === "the updater is killed") updater.restart();
    else if (one.what === "its clock leaps") this.#leap();
    else updater.faults.push(one.what);
  }

  #trouble({ what, seconds }: { readonly what: (typeof troubles)[number]; readonly seconds: number }): void {
    const cluster = this.#cluster;
    const updater = this.#updater;
    const until = cluster.now + seconds;
    this.#troubled += seconds;
    switch (what) {
      case "nothing":
        break;
      case "a node is away": {
        const node = cluster.nodes[seconds % 2]!;
        if (node.isDown) break;
        Object.assign(node, { isDown: true, downSince: cluster.now });
        this.#due.push({ at: until, mend: () => cluster.nodeUp(node) });
        break;
      }
      case "nobody reaches the API server":
        cluster.awayUntil = until;
        break;
      case "the updater does not reach it":
        updater.cutUntil = until;
        break;
      case "controllers stand still":
        cluster.stalledUntil = until;
        break;
      case "no pod can be made":
        cluster.fullUntil = until;
        break;
      case "the version server is away":
        cluster.serverAwayUntil = until;
        break;
      case "its watch of pods is behind":
        updater.podsLagUntil = cluster.now + Math.min(seconds, 100);
        break;
      case "its watch of objects is behind":
        updater.objectsLagUntil = cluster.now + Math.min(seconds, 100);
        // What it goes back from before it has seen its revision, it frees nowhere.
        this.#troubled = Infinity;
        break;
      case "a second updater runs":
        this.#second ??= this.#another();
        this.#secondUntil = until;
        break;
    }
  }

  /** Of two updaters with clocks that differ neither can tell how long it has been what the other one saw. */
  #leap(): void {
    this.#updater.leap();
    this.#second?.leap();
  }

  #another(): Updater {
    const second = new Updater(this.#cluster, this.#planted);
    if (this.#updater.clockAhead !== 0) second.leap();
    return second;
  }

  #act({ what, number }: { readonly what: (typeof acts)[number]; readonly number: number }, workload: Workload): void {
    const cluster = this.#cluster;
    const pod = workload.pods()[number % Math.max(1, workload.pods().length)];
    const ask = (key: string): void => workload.annotate(key, printInstant(cluster.now));
    switch (what) {
      case "a person goes back":
        workload.setImage("svc:15.4.5", "person");
        break;
      case "a tool sets its image":
        workload.setImage(`svc:15.4.${Math.max(5, this.#served - number)}`, "tool");
        break;
      case "restarted":
        workload.change(() => (workload.template = { ...workload.template, restarts: workload.template.restarts + 1 }));
        break;
      case "scaled":
        workload.change(() => (workload.replicas = number));
        // Whoever lets it have pods again lets them have what nobody has proven.
        if (number === 0) workload.brought.clear();
        break;
      case "a partition":
        if (workload.kind === "Deployment") break;
        workload.change(() => (workload.partition = workload.partition === 0 ? number : 0));
        // What is left as it was below it is theirs.
        workload.brought.clear();
        break;
      case "paused":
        if (workload.kind === "Deployment") workload.change(() => (workload.isPaused = !workload.isPaused));
        break;
      case "suspended":
        workload.annotate(
          "svc.dev/skipreconcile",
          workload.annotations["svc.dev/skipreconcile"] === undefined ? "true" : undefined,
        );
        break;
      case "run-now":
        ask(annotationOf.runNow);
        break;
      case "retry":
        ask(annotationOf.retry);
        break;
      case "rollback":
        ask(annotationOf.rollback);
        break;
      case "made anew":
        workload.remake();
        break;
      case "a container is unready for a while":
        if (pod !== undefined) pod.blipUntil = cluster.now + 120;
        break;
      case "a pod is deleted":
        if (pod !== undefined) cluster.end(pod);
        break;
    }
  }

  async #tick(): Promise<void> {
    const cluster = this.#cluster;
    cluster.tick();
    for (const due of this.#due.splice(0)) {
      if (due.at <= cluster.now) due.mend();
      else this.#due.push(due);
    }
    await this.#updater.tick();
    if (this.#second !== undefined && cluster.now < this.#secondUntil) await this.#second.tick();
    const ill = cluster.workloads.filter((workload) => this.#isIllByUpdater(workload));
    if (ill.length > 1) this.#wrong(`it has made ${ill.map(({ name }) => name).join(" and ")} ill together`);
    for (const wrong of [...this.#updater.wrongs, ...(this.#second?.wrongs ?? [])]) this.#wrong(wrong);
  }

  #isIllByUpdater(workload: Workload): boolean {
    if (this.#kept(workload)?.needsOperator !== undefined) return false;
    return workload.pods().some(({ image }) => workload.brought.has(image) && !isGood(this.#cluster.healthOf(image)));
  }

  /** All troubles end, and nothing happens any more. */
  async rest(): Promise<void> {
    const cluster = this.#cluster;
    for (const { mend } of this.#due.splice(0)) mend();
    cluster.awayUntil = Math.min(cluster.awayUntil, cluster.now);
    Object.assign(cluster, { stalledUntil: 0, fullUntil: 0, serverAwayUntil: 0 });
    if (this.#updater.clockAhead !== 0) this.#leap();
    Object.assign(this.#updater, { cutUntil: 0, podsLagUntil: 0, objectsLagUntil: 0 });
    this.#updater.faults.length = 0;
    this.#secondUntil = 0;
    for (const workload of cluster.workloads) {
      const usual = { partition: 0, isPaused: false, replicas: Math.max(1, workload.replicas) };
      workload.change(() => Object.assign(workload, usual));
      if (workload.annotations["svc.dev/skipreconcile"] !== undefined) workload.annotate("svc.dev/skipreconcile", undefined);
    }
    const end = cluster.now + restSeconds;
    for (let ticks = 0; cluster.now < end && ticks < mostTicks; ticks += 1) {
      // Nothing moves any more until it looks again.
      if (cluster.isStill()) cluster.now = Math.min(end, Math.max(cluster.now, this.#updater.due() - 5));
      await this.#tick();
    }
    // What cannot be pulled may be there one day, and is tried again and again.
    if (cluster.healthOf(cluster.served) === "not pulled") return;
    for (const workload of cluster.workloads) this.#judgeRest(workload);
    // Each time that a pod is ready for a moment is news.
    if (cluster.pods.some(({ image }) => !isGood(cluster.healthOf(image)))) return;
    const { writes } = this.#updater;
    await this.wait(restWatched);
    if (this.#updater.writes > writes) this.#wrong(`it wrote ${this.#updater.writes - writes} times, and nothing happened`);
  }

  #judgeRest(workload: Workload): void {
    const kept = this.#kept(workload);
    const { image } = workload.template;
    const { served } = this.#cluster;
    const state = `${workload.name} has ${image}, ${served} is served; ${JSON.stringify(kept)}`;
    if (kept === undefined) this.#wrong(`nothing is recorded of ${state}`);
    // Trouble that lasted, or a version before that somebody else has set, and which is no better.
    const mayNeedOperator = this.#troubled >= 3000 || !isGood(this.#cluster.healthOf(image));
    if (kept.needsOperator !== undefined && mayNeedOperator) return;
    // What was unwell before is a person's.
    if (kept.move?.wasWell === false) return;
    const health = this.#cluster.healthOf(served);
    if (kept.needsOperator !== undefined || kept.move !== undefined) this.#wrong(`it does not end: ${state}`);
    const isGoodServed = isGood(health);
    // A rollout that sticks, and is somebody else's, is left to them (kubernetes#67250).
    const isStuck = workload.setLast !== "updater";
    const why = kept.decision.kind === "stay" ? kept.decision.why : "";
    const isHeld = heldBy.includes(why) || (why === "rolling" && isStuck);
    if (!isHeld && isGoodServed && image !== `svc:${served}`) this.#wrong(`it stays behind: ${state}`);
    const isGoodImage = isGood(this.#cluster.healthOf(image));
    if (workload.brought.has(image) && !isGoodImage) this.#wrong(`it leaves a bad version: ${state}`);
    if (isGoodImage && !isStuck && !isSettled(workload)) this.#wrong(`its pods do not get well: ${state}`);
  }

  #kept({ kind, name }: Workload): Kept | undefined {
    const stored = this.#cluster.records.get(recordName({ kind, name }));
    const reading = readKept(stored?.record);
    return reading.kind === "kept" ? reading.record : undefined;
  }

  #wrong(wrong: string): never {
    throw new Error(`after ${this.#cluster.now - 1_795_140_600} s: ${wrong}`);
  }
}

const restSeconds = 86_400;
/** Where pods crash for ever, it never is still. */
const mostTicks = 3000;
const restWatched = 300;
/** What people and tools have decided. */
const heldBy: readonly string[] = ["set-back", "gitops", "rejected", "alternating", "downgrade"];
