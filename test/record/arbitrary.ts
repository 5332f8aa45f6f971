import type { Served } from "../../src/channel/answer.ts";
import type { DecisionNumber } from "../../src/channel/decision-number.ts";
import type { CriticalDoubt } from "../../src/channel/doubt.ts";
import { nothingHeard, type Heard } from "../../src/channel/heard.ts";
import fc from "fast-check";
import type { ChannelsDigest } from "../../src/channel/digest.ts";
import type { ChannelName } from "../../src/channel/path.ts";
import { faultTable } from "../../src/fault/table.ts";
import type { FaultData } from "../../src/fault/fault.ts";
import type { Decision, MoveReason, StayReason } from "../../src/plan/decision.ts";
import type { ChannelAnswer } from "../../src/decide/facts.ts";
import { moveReasons, stayReasons } from "../../src/plan/reasons.ts";
import type { Movement } from "../../src/plan/target.ts";
import type { Answer, Request } from "../../src/record/hand-over.ts";
import { hopNames, type HopCheck, type HopName, type Probe } from "../../src/record/probe.ts";
import type { Cause, NoWayBack, Outcome, PassRecord, Recovered, State, StepName, StepTime } from "../../src/record/state.ts";
import { stepParts } from "../../src/record/steps.ts";
import type { Endpoint } from "../../src/settings/settings.ts";
import type { PackageVersion } from "../../src/version/wrapped.ts";
import type { Version } from "../../src/version/version.ts";
import { digestOf } from "../channel/given.ts";

const number: fc.Arbitrary<number> = fc.nat({ max: 20 });

export const version: fc.Arbitrary<Version> = fc
  .tuple(number, number, number, fc.constantFrom("", "-rc.1", "+build.5"))
  .map(([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}` as Version);

export const packageVersion: fc.Arbitrary<PackageVersion> = fc
  .tuple(fc.constantFrom("", "5:"), version, fc.constantFrom("", "-1", "-1~deb12u1"))
  .map(([epoch, upstream, revision]) => `${epoch}${upstream}${revision}` as PackageVersion);

const digest: fc.Arbitrary<ChannelsDigest> = fc.constantFrom("a", "0", "f").map(digestOf);

const seconds: fc.Arbitrary<number> = fc.integer({ min: -10, max: 4_000_000_000 });
/** Short strings of anything, and long ones of costly characters. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("€", "\ud800", '"', "a\n").map((unit) => unit.repeat(1500)),
);
/** Printable and short: comes back as it went in. */
const plainText: fc.Arbitrary<string> = fc.string({ unit: fc.constantFrom("a", "Z", "0", '"', "\\", "ü", "€"), maxLength: 20 });

/** `plain` states survive a round trip unchanged; `any` ones hold what no honest caller would write. */
export type Manner = "plain" | "any";

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

export function fault(manner: Manner): fc.Arbitrary<FaultData> {
  const words = manner === "plain" ? plainText : anyText;
  return fc.record({
    code: fc.constantFrom(...(Object.keys(faultTable) as FaultData["code"][])),
    message: words,
    hint: words,
    causes: fc.array(words, { maxLength: manner === "plain" ? 3 : 9 }),
  });
}

const stepName: fc.Arbitrary<StepName> = fc.constantFrom(...(Object.keys(stepParts) as StepName[]));

function stepTimes(manner: Manner): fc.Arbitrary<readonly StepTime[]> {
  return fc.array(fc.record({ step: stepName, ms: fc.nat() }), { maxLength: manner === "plain" ? 6 : 40 });
}

const movement: fc.Arbitrary<Movement> = fc.oneof(
  fc.record({ kind: fc.constant("install" as const), to: version }),
  fc.record({ kind: fc.constantFrom("upgrade" as const, "downgrade" as const), from: version, to: version }),
  fc.record({ kind: fc.constant("repair" as const), from: optional(version), to: version, why: plainText }),
);

const moveReason: fc.Arbitrary<MoveReason> = fc.constantFrom(...(Object.keys(moveReasons) as MoveReason[]));

function decision(manner: Manner): fc.Arbitrary<Decision> {
  const words = manner === "plain" ? plainText : anyText;
  return fc.oneof(
    fc.record(
      {
        kind: fc.constant("stay" as const),
        why: fc.constantFrom(...(Object.keys(stayReasons) as StayReason[])),
        told: words,
        until: seconds,
        lift: words,
      },
      { requiredKeys: ["kind", "why", "told"] },
    ),
    fc.record(
      {
        kind: fc.constant("move" as const),
        why: moveReason,
        told: words,
        target: movement,
        until: seconds,
        exactly: packageVersion,
      },
      { requiredKeys: ["kind", "why", "told", "target"] },
    ),
    fc.record({ kind: fc.constant("stop" as const), fault: fault(manner) }),
  );
}

function evidence(manner: Manner): fc.Arbitrary<readonly string[]> {
  return fc.array(manner === "plain" ? plainText : anyText, { maxLength: manner === "plain" ? 5 : 20 });
}

function cause(manner: Manner): fc.Arbitrary<Cause> {
  return fc.record({ step: stepName, fault: fault(manner), evidence: evidence(manner) });
}

function noWayBack(manner: Manner): fc.Arbitrary<NoWayBack> {
  return fc.oneof(
    fc.record({ kind: fc.constant("not-tried" as const), why: manner === "plain" ? plainText : anyText }),
    fc.record({ kind: fc.constant("failed" as const), step: stepName, fault: fault(manner) }),
  );
}

function outcome(manner: Manner): fc.Arbitrary<Outcome> {
  const words = manner === "plain" ? plainText : anyText;
  return fc.oneof(
    fc.record({ kind: fc.constant("stayed" as const) }),
    fc.record({ kind: fc.constant("moved" as const), from: optional(words), to: words, seconds }),
    fc.record({ kind: fc.constant("stopped" as const), fault: fault(manner) }),
    fc
      .record({ kind: fc.constant("failed" as const), back: optional(noWayBack(manner)), cause: cause(manner) })
      .map(({ cause: why, ...rest }) => ({ ...rest, ...why })),
    fc
      .record({ kind: fc.constant("undone" as const), left: words, to: words, seconds, cause: cause(manner) })
      .map(({ cause: why, ...rest }) => ({ ...rest, ...why })),
  );
}

const recovered: fc.Arbitrary<Recovered> = fc.record({
  step: stepName,
  served: version,
  ended: fc.constantFrom("unchanged" as const, "finished" as const, "undone" as const, "not-mended" as const),
});

function passRecord(manner: Manner): fc.Arbitrary<PassRecord> {
  const words = manner === "plain" ? plainText : anyText;
  return fc.record({
    id: words,
    startedAt: seconds,
    seconds,
    installed: optional(words),
    served: optional(words),
    channel: optional(words),
    decision: decision(manner),
    outcome: outcome(manner),
    steps: stepTimes(manner),
    recovered: optional(recovered),
    unanswered: optional(fault(manner)),
  });
}

const build = fc.record({ sha256: optional(plainText), bytes: optional(fc.nat()) });

const served: fc.Arbitrary<Served> = fc.oneof(
  fc.record({ kind: fc.constant("version" as const), version }),
  fc.constant({ kind: "none" as const }),
);

const doubt: fc.Arbitrary<CriticalDoubt> = fc.oneof(
  fc.constantFrom<CriticalDoubt>({ kind: "unnamed" }, { kind: "disagreeing" }),
  fc.record({ kind: fc.constant("another" as const), named: served }),
);

const decisionNumber: fc.Arbitrary<DecisionNumber> = fc
  .tuple(fc.nat(), fc.nat())
  .map(([epoch, count]) => `${epoch}.${count}` as DecisionNumber);

function heard(most: number): fc.Arbitrary<Heard> {
  return fc.record({
    channel: fc.constantFrom("default" as ChannelName, "stable/cloud" as ChannelName),
    versions: fc.array(
      fc.record({
        version,
        since: seconds,
        until: seconds,
        came: fc.constantFrom("new" as const, "decided" as const, "back" as const),
        before: optional(version),
      }),
      { maxLength: most },
    ),
    decision: optional(fc.record({ number: decisionNumber, at: seconds })),
    alternation: optional(fc.record({ at: seconds, between: fc.tuple(version, version) })),
    disagreedAt: optional(seconds),
    agreed: optional(fc.record({ version, passes: number })),
  });
}

export function state(manner: Manner): fc.Arbitrary<State> {
  const words = manner === "plain" ? plainText : anyText;
  const clock = fc.record({ now: seconds, sinceBootSeconds: fc.double({ min: 1e-3, max: 1e9, noNaN: true }), bootId: words });
  const most = manner === "plain" ? 1 : 3;
  return fc.record({
    needsOperator: optional(fc.record({ at: seconds, why: words })),
    rejected: fc.array(fc.record({ served: version, packageVersion, build: optional(build), at: seconds, why: words }), {
      maxLength: 10 * most,
    }),
    backoff: optional(fc.record({ served: version, cause: fault(manner), failures: number, until: seconds })),
    rescuedFor: optional(version),
    repair: optional(fc.record({ to: version, attempts: number, isNowhere: fc.boolean() })),
    cutOffs: optional(fc.record({ to: version, attempts: number })),
    agent: optional(fc.record({ bootId: words, restarts: number, unhealthyPasses: number })),
    lastContact: optional(
      fc.record({
        at: seconds,
        served: fc.oneof(version, fc.constant("none" as const)),
        isCritical: fc.boolean(),
        doubt: optional(doubt),
      }),
    ),
    channels: fc.array(fc.record({ digest, since: seconds, until: seconds }), { maxLength: most }),
    heard: fc.oneof(fc.constant(nothingHeard), heard(4 * most)),
    silentSince: optional(seconds),
    searchedAt: optional(seconds),
    takenOver: optional(words),
    previous: optional(fc.record({ version, packageVersion, leftAt: seconds })),
    kept: fc.array(fc.record({ packageVersion, file: words, sha256: words, bytes: fc.nat() }), { maxLength: 2 * most }),
    heldUntil: optional(seconds),
    recovered: optional(recovered),
    clock: optional(clock),
    doubtedClock: optional(clock),
    lastSuccessAt: optional(seconds),
    moveSeconds: fc.array(seconds, { maxLength: 5 * most }),
    passes: fc.array(passRecord(manner), { maxLength: 10 * most }),
    step: optional(
      fc.record({
        pass: words,
        step: stepName,
        movement: fc.constantFrom("install" as const, "upgrade" as const, "downgrade" as const, "repair" as const),
        why: moveReason,
        startedAt: seconds,
        served: version,
        from: optional(packageVersion),
        to: optional(packageVersion),
        agentBefore: optional(fc.constantFrom("running" as const, "unhealthy" as const, "stopped" as const, "unknown" as const)),
        changingSince: optional(seconds),
        hold: fc.constantFrom("none" as const, "lifted" as const),
        cause: optional(cause(manner)),
        recoveries: number,
        done: stepTimes(manner),
      }),
    ),
  });
}

const passId: fc.Arbitrary<string> = fc.string({ unit: fc.constantFrom("a", "F", "0", "-"), minLength: 1, maxLength: 64 });

export const request: fc.Arbitrary<Request> = fc.record({
  pass: passId,
  purpose: fc.constantFrom("answer" as const, "probe" as const),
  endpoint: fc.constantFrom(
    "https://proxy.example.com" as Endpoint,
    "http://127.0.0.1:3080" as Endpoint,
    "https://[2001:db8::1]:8443/base" as Endpoint,
  ),
  channel: fc.constantFrom("default" as ChannelName, "stable/cloud" as ChannelName),
  caFile: optional(fc.constantFrom("/etc/ssl/ca.pem", "/etc/ssl/a b/ü.pem")),
  allowPlainHttp: fc.boolean(),
  installed: optional(version),
  proxies: fc.record({
    HTTPS_PROXY: optional(fc.constantFrom('http://fleet:a$"b@proxy.test:3128', "")),
    http_proxy: optional(anyText),
    NO_PROXY: optional(fc.constantFrom(".lan,10.0.0.0/8", "two\nlines")),
  }),
});

function channelAnswer(manner: Manner): fc.Arbitrary<ChannelAnswer> {
  return fc.oneof(
    fc.record({
      kind: fc.constant("served" as const),
      served,
      isCritical: fc.boolean(),
      doubt: optional(doubt),
      decision: optional(decisionNumber),
      channels: optional(digest),
    }),
    fc.record({ kind: fc.constant("fault" as const), fault: fault(manner) }),
  );
}

/** Every hop in its order. */
export function probe(manner: Manner): fc.Arbitrary<Probe> {
  const words = manner === "plain" ? plainText : anyText;
  const check = (name: HopName): fc.Arbitrary<HopCheck> =>
    fc.record(
      {
        name: fc.constant(name),
        verdict: fc.constantFrom("ok" as const, "warning" as const, "failed" as const, "skipped" as const),
        told: words,
        fix: words,
      },
      { requiredKeys: ["name", "verdict", "told"] },
    );
  return fc.record({ pass: passId, checks: fc.tuple(...hopNames.map(check)), answer: channelAnswer(manner) });
}

export function answer(manner: Manner): fc.Arbitrary<Answer> {
  return fc.record({ pass: passId, answer: channelAnswer(manner) });
}
