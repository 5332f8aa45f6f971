import type * as HandOverModule from "../../../src/record/hand-over.ts";
import type * as ProbeModule from "../../../src/record/probe.ts";
import type * as StateModule from "../../../src/record/decode-state.ts";
import type * as AskedModule from "../../../src/record/asked.ts";
import { compare, finding, isPrintableLine } from "../compare.ts";
import { naiveAnswer, naiveAsked, naiveProbe, naiveRequest, naiveState } from "../naive/record.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { target, type Target } from "../target.ts";
import { channelText, packageVersionText, urlText, versionText } from "../texts.ts";
import { mutatedJson } from "../values.ts";

type Reading = { readonly kind: "read"; readonly value: unknown } | { readonly kind: "unreadable"; readonly why: string };
type Decoding = {
  readonly name: string;
  readonly sample: (random: Random) => object;
  readonly decoder: (source: string) => Promise<(text: string) => Reading>;
  readonly naive: (text: string) => unknown;
};

function decoding({ name, sample, decoder, naive }: Decoding): Target {
  return target({
    name,
    generate: (random) => mutatedJson(random, sample(random)),
    load: async (source) => {
      const decode = await decoder(source);
      return (input) => {
        const reading = decode(input);
        // A clone is without what a later release wrote, which is only carried.
        if (reading.kind === "read") return compare(structuredClone(reading.value), naive(input));
        if (!isPrintableLine(reading.why) || reading.why.length > 300)
          return finding(`no short printable reason: ${reading.why}`);
        return compare(undefined, naive(input));
      };
    },
  });
}

const version = (random: Random): string => versionText(random).replace(/^v/, "");
const seconds = (random: Random): number => 1_800_000_000 + random.below(1000);

function fault(random: Random): object {
  const words = ["no route to host", "a\u001b[31mred", "two\nlines", "ü".repeat(random.pick([10, 300, 900])), ""];
  const code = random.pick(["channel-unreachable", "bug", "answer-invalid", "no-such-code", "constructor"]);
  return { code, message: random.pick(words), hint: "try again", causes: random.several(0, 3, () => random.pick(words)) };
}

const digests = ["0f".repeat(32), "0F".repeat(32), "0f", 7];

const decisions = ["0.0", "3.1204", "3", "03.1", 3.5];

function doubt(random: Random, named: object): unknown {
  return random.pick([{ kind: "unnamed" }, { kind: "disagreeing" }, { kind: "another", named }, { kind: "other" }, "unnamed"]);
}

function heard(random: Random): object {
  const stretch = (): object => ({
    version: version(random),
    since: 1,
    until: seconds(random),
    came: random.pick(["new", "decided", "back", "soon"]),
    before: version(random),
  });
  const some = {
    decision: { number: random.pick(decisions), at: 1 },
    alternation: { at: 1, between: random.several(1, 3, () => version(random)) },
    disagreedAt: seconds(random),
    agreed: { version: version(random), passes: random.pick([1, 2, -1]) },
  };
  return {
    channel: random.pick(["default", "stable/cloud", "/"]),
    versions: random.several(0, 9, stretch),
    ...Object.fromEntries(Object.entries(some).filter(() => random.onceIn(3))),
  };
}

function answer(random: Random): object {
  const servedVersion = { kind: "version", version: version(random) };
  const channels = random.onceIn(2) ? {} : { channels: random.pick(digests) };
  const named = random.pick([servedVersion, { kind: "none" }]);
  const said = { doubt: doubt(random, named), decision: random.pick(decisions) };
  const some = Object.fromEntries(Object.entries(said).filter(() => random.onceIn(2)));
  const served = { kind: "served", served: named, isCritical: random.onceIn(2), ...some, ...channels };
  return { pass: "a1-B2", answer: random.onceIn(3) ? { kind: "fault", fault: fault(random) } : served };
}

function probe(random: Random): object {
  const told = ["outer.test is 10.0.0.1", "a\u001b[31mred", "ü".repeat(random.pick([10, 600, 1700])), ""];
  const checks = ["route", "proxy", "dns", "tls", "channel", "answer"].map((name) => {
    const check = { name, verdict: random.pick(["ok", "warning", "failed", "skipped"]), told: random.pick(told) };
    return random.onceIn(2) ? check : { ...check, fix: random.pick(told) };
  });
  return { ...answer(random), checks };
}

function request(random: Random): object {
  const endpoint = random.onceIn(3) ? urlText(random) : random.pick(["https://proxy.example.com", "http://127.0.0.1:3080/base"]);
  const purpose = random.pick(["answer", "answer", "probe", "question"]);
  const proxies = random.pick([{}, { HTTPS_PROXY: "http://a:b@proxy.test:3128", no_proxy: "" }, { HTTP_PROXY: 3128 }]);
  const all = { pass: "a1", purpose, endpoint, channel: channelText(random), allowPlainHttp: random.onceIn(2), proxies };
  return random.onceIn(2) ? all : { ...all, caFile: "/etc/ssl/ca.pem", installed: version(random) };
}

function cause(random: Random): object {
  const step = random.pick(["install", "verify", "health", "back-health"]);
  const failing = { step, fault: fault(random) };
  return random.onceIn(3) ? failing : { ...failing, evidence: random.several(0, 6, () => "panic: no such option") };
}

function passRecord(random: Random): object {
  const decision = random.pick([
    {
      kind: "stay",
      why: random.pick(["current", "outside-window"]),
      told: "nothing to do",
      until: seconds(random),
      lift: "wait",
    },
    { kind: "stay", why: "held", told: "held" },
    {
      kind: "move",
      why: "window",
      told: "goes",
      target: { kind: "upgrade", from: version(random), to: version(random) },
      until: seconds(random),
    },
    { kind: "move", why: "asked", told: "goes", target: { kind: "repair", to: version(random), why: "half-way" } },
    { kind: "stop", fault: fault(random) },
  ]);
  const outcome = random.pick([
    { kind: "stayed" },
    { kind: "moved", from: "15.4.5", to: "15.4.6", seconds: 12.5 },
    { kind: "stopped", fault: fault(random) },
    { kind: "failed", ...cause(random) },
    { kind: "failed", back: { kind: "not-tried", why: "nothing is at hand" }, ...cause(random) },
    { kind: "failed", back: { kind: "failed", step: "back-install", fault: fault(random) }, ...cause(random) },
    { kind: "undone", left: "15.4.6", to: "15.4.5", seconds: 9, ...cause(random) },
  ]);
  const ended = random.pick(["unchanged", "finished", "undone", "not-mended"]);
  const recovered = { step: "install", served: version(random), ended };
  return {
    ...(random.onceIn(3) ? { recovered } : {}),
    id: "p1",
    startedAt: seconds(random),
    seconds: 3,
    installed: "15.4.5",
    served: "15.4.6",
    decision,
    outcome,
  };
}

function stepInHand(random: Random): object {
  const older = { pass: "p", step: "install", startedAt: 1, served: version(random), to: packageVersionText(random) };
  if (random.onceIn(2)) return older;
  return {
    ...older,
    step: "back-install",
    movement: random.pick(["upgrade", "repair"]),
    why: random.pick(["asked", "rollback"]),
    agentBefore: random.pick(["running", "unknown"]),
    changingSince: 7,
    hold: random.pick(["none", "lifted"]),
    cause: cause(random),
    recoveries: 1,
    done: [],
  };
}

function state(random: Random): object {
  const clock = { now: seconds(random), sinceBootSeconds: 12.5, bootId: "b" };
  const rejection = { served: version(random), packageVersion: packageVersionText(random), at: 1, why: "unhealthy" };
  const optional: Readonly<Record<string, unknown>> = {
    needsOperator: { at: 1, why: "the way back failed" },
    backoff: { served: version(random), cause: fault(random), failures: 2, until: seconds(random) },
    rescuedFor: version(random),
    repair: { to: version(random), attempts: 1 },
    agent: { bootId: "b", restarts: 0, unhealthyPasses: 1 },
    lastContact: {
      at: 1,
      served: random.pick(["none", version(random)]),
      isCritical: false,
      doubt: doubt(random, { kind: "none" }),
    },
    channels: random.several(0, 4, () => ({ digest: random.pick(digests), since: 1, until: 2 })),
    heard: heard(random),
    silentSince: 7,
    clock,
    doubtedClock: clock,
    step: stepInHand(random),
    kept: random.several(0, 3, () => ({
      packageVersion: packageVersionText(random),
      file: "svc-ent.deb",
      sha256: "0f",
      bytes: random.pick([0, 12, -1]),
    })),
  };
  const some = Object.entries(optional).filter(() => random.onceIn(3));
  return {
    schema: 1,
    rejected: random.several(0, 1, () => rejection),
    moveSeconds: [12, 9.5],
    passes: random.several(0, 2, () => passRecord(random)),
    ...Object.fromEntries(some),
  };
}

export const recordTargets: readonly Target[] = [
  decoding({
    name: "request",
    sample: request,
    decoder: async (source) => (await moduleOf<typeof HandOverModule>(source, "record/hand-over.ts")).decodeRequest,
    naive: naiveRequest,
  }),
  decoding({
    name: "answer",
    sample: answer,
    decoder: async (source) => (await moduleOf<typeof HandOverModule>(source, "record/hand-over.ts")).decodeAnswer,
    naive: naiveAnswer,
  }),
  decoding({
    name: "probe",
    sample: probe,
    decoder: async (source) => (await moduleOf<typeof ProbeModule>(source, "record/probe.ts")).decodeProbe,
    naive: naiveProbe,
  }),
  decoding({
    name: "asked",
    sample: (random) => ({
      schema: random.pick([1, 1, 1, 2]),
      at: seconds(random),
      asked: { when: random.pick(["timer", "now"]), absent: random.pick(["stop", "install"]) },
      ...(random.onceIn(2) ? { pass: random.pick(["one", "x".repeat(65)]) } : {}),
    }),
    decoder: async (source) => (await moduleOf<typeof AskedModule>(source, "record/asked.ts")).decodeAsked,
    naive: naiveAsked,
  }),
  decoding({
    name: "state",
    sample: state,
    decoder: async (source) => (await moduleOf<typeof StateModule>(source, "record/decode-state.ts")).decodeState,
    naive: naiveState,
  }),
];
