import type * as KeptModule from "../../../src/kube/objects/record.ts";
import type * as AskedModule from "../../../src/updater/record/asked.ts";
import type * as DecodeStateModule from "../../../src/updater/record/decode-state.ts";
import type * as EncodeStateModule from "../../../src/updater/record/encode-state.ts";
import type * as EventModule from "../../../src/updater/record/event.ts";
import type * as HandOverModule from "../../../src/updater/record/hand-over.ts";
import type * as HistoryModule from "../../../src/updater/record/history.ts";
import type * as NotificationsModule from "../../../src/updater/record/notifications.ts";
import type * as ProbeModule from "../../../src/updater/record/probe.ts";
import { quote } from "../../../src/rules/text/quote.ts";
import { kept } from "../../../src/kube/objects/record.ts";
import { note } from "../../../src/updater/record/asked.ts";
import { event } from "../../../src/updater/record/event.ts";
import { answer, request } from "../../../src/updater/record/hand-over.ts";
import { history } from "../../../src/updater/record/history.ts";
import { notifications } from "../../../src/updater/record/notifications.ts";
import { hopCheck, hopNames, probe } from "../../../src/updater/record/probe.ts";
import { state } from "../../../src/updater/record/state.ts";
import type { Reading as Decoded } from "../../../src/rules/shape/read.ts";
import type { Shape } from "../../../src/rules/shape/shape.ts";
import type { Random } from "../random.ts";
import { sampleOf } from "../shapes.ts";
import { moduleOf } from "../source.ts";
import { target, type Target } from "../target.ts";
import { mutatedJson } from "../values.ts";

type Coding<Value> = { readonly encode: (value: Value) => string; readonly decode: (text: string) => Decoded<Value> };

function record<Value>(
  name: string,
  sample: (random: Random) => unknown,
  coding: (source: string) => Promise<Coding<Value>>,
): Target {
  return target({
    name,
    generate: (random) => mutatedJson(random, sample(random)),
    load: async (source) => {
      const { encode, decode } = await coding(source);
      return {
        read: (input) => {
          const found = decode(input);
          if (found.kind === "unreadable") return { kind: "refused", told: [found.why] };
          return {
            kind: "accepted",
            value: { written: JSON.parse(encode(found.value)) as unknown, inShort: inShort(found.value) },
          };
        },
        print: ({ written }) => {
          const text = JSON.stringify(written);
          return text.includes(standIn) ? undefined : text;
        },
      };
    },
  });
}

/** Begins the words that stand for those of a later release; they give way to them when they are read again. */
const standIn = "a later release of svc-";

/** Without what a writer may cut or leave out: the ends of texts, causes that do not fit, what was heard of no channel. */
function inShort(value: unknown): unknown {
  const text = JSON.stringify(value, (key, inner: { readonly channel?: unknown } | undefined) =>
    key === "causes" || (key === "heard" && inner?.channel === undefined) ? undefined : inner,
  );
  return JSON.parse(text, (_key, inner: unknown) => (typeof inner === "string" ? quote(inner, 20) : inner));
}

function drawn(shape: Shape<unknown>): (random: Random) => unknown {
  return (random) => sampleOf(shape, random);
}

/** Every hop in its order: drawn one by one, they would hardly ever be. */
function probeSample(random: Random): object {
  const checks = hopNames.map((name) => ({ ...(sampleOf(hopCheck, random) as object), name }));
  return { ...(sampleOf(probe, random) as object), checks };
}

export const recordTargets: readonly Target[] = [
  record("kube-record", drawn(kept), async (source) => {
    const { printKept, readKept } = await moduleOf<typeof KeptModule>(source, "kube/objects/record.ts");
    return {
      encode: printKept,
      decode: (text) => {
        const found = readKept(text);
        if (found.kind === "kept") return { kind: "read", value: found.record };
        return { kind: "unreadable", why: found.kind === "nothing" ? "" : found.why };
      },
    };
  }),
  record("request", drawn(request), async (source) => {
    const { encodeRequest, decodeRequest } = await moduleOf<typeof HandOverModule>(source, "updater/record/hand-over.ts");
    return { encode: encodeRequest, decode: decodeRequest };
  }),
  record("answer", drawn(answer), async (source) => {
    const { encodeAnswer, decodeAnswer } = await moduleOf<typeof HandOverModule>(source, "updater/record/hand-over.ts");
    return { encode: encodeAnswer, decode: decodeAnswer };
  }),
  record("probe", probeSample, async (source) => {
    const { encodeProbe, decodeProbe } = await moduleOf<typeof ProbeModule>(source, "updater/record/probe.ts");
    return { encode: encodeProbe, decode: decodeProbe };
  }),
  record("asked", drawn(note), async (source) => {
    const { encodeAsked, decodeAsked } = await moduleOf<typeof AskedModule>(source, "updater/record/asked.ts");
    return { encode: encodeAsked, decode: decodeAsked };
  }),
  record("state", drawn(state), async (source) => {
    const { encodeState } = await moduleOf<typeof EncodeStateModule>(source, "updater/record/encode-state.ts");
    const { decodeState } = await moduleOf<typeof DecodeStateModule>(source, "updater/record/decode-state.ts");
    return { encode: encodeState, decode: decodeState };
  }),
  record("event", drawn(event), async (source) => {
    const { encodeEvent, decodeEvent } = await moduleOf<typeof EventModule>(source, "updater/record/event.ts");
    return { encode: encodeEvent, decode: decodeEvent };
  }),
  record("notifications", drawn(notifications), async (source) => {
    const { encodeNotifications, decodeNotifications } = await moduleOf<typeof NotificationsModule>(
      source,
      "updater/record/notifications.ts",
    );
    return {
      encode: ({ waiting }: Pick<NotificationsModule.Queue, "waiting">) => encodeNotifications(waiting),
      decode: decodeNotifications,
    };
  }),
  record("history", drawn(history), async (source) => {
    const { encodeHistory, decodeHistory } = await moduleOf<typeof HistoryModule>(source, "updater/record/history.ts");
    return { encode: encodeHistory, decode: decodeHistory };
  }),
];
