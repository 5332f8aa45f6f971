import type * as HandOverModule from "../../../src/record/hand-over.ts";
import type * as ProbeModule from "../../../src/record/probe.ts";
import type * as StateModule from "../../../src/record/decode-state.ts";
import type * as AskedModule from "../../../src/record/asked.ts";
import type * as HistoryModule from "../../../src/record/history.ts";
import type * as EventModule from "../../../src/record/event.ts";
import type * as NotificationsModule from "../../../src/record/notifications.ts";
import { note } from "../../../src/record/asked.ts";
import { answer, request } from "../../../src/record/hand-over.ts";
import { hopCheck, hopNames, probe } from "../../../src/record/probe.ts";
import { event } from "../../../src/record/event.ts";
import { notifications } from "../../../src/record/notifications.ts";
import { history } from "../../../src/record/history.ts";
import { state } from "../../../src/record/state.ts";
import { compare, finding, isPrintableLine } from "../compare.ts";
import {
  naiveAnswer,
  naiveAsked,
  naiveEvent,
  naiveHistory,
  naiveNotifications,
  naiveProbe,
  naiveRequest,
  naiveState,
} from "../naive/record.ts";
import type { Random } from "../random.ts";
import { sampleOf } from "../shapes.ts";
import { moduleOf } from "../source.ts";
import { target, type Target } from "../target.ts";
import { mutatedJson } from "../values.ts";

type Reading = { readonly kind: "read"; readonly value: unknown } | { readonly kind: "unreadable"; readonly why: string };
type Decoding = {
  readonly name: string;
  readonly sample: (random: Random) => unknown;
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

/** Every hop in its order: drawn one by one, they would hardly ever be. */
function probeSample(random: Random): object {
  const checks = hopNames.map((name) => ({ ...(sampleOf(hopCheck, random) as object), name }));
  return { ...(sampleOf(probe, random) as object), checks };
}

export const recordTargets: readonly Target[] = [
  decoding({
    name: "request",
    sample: (random) => sampleOf(request, random),
    decoder: async (source) => (await moduleOf<typeof HandOverModule>(source, "record/hand-over.ts")).decodeRequest,
    naive: naiveRequest,
  }),
  decoding({
    name: "answer",
    sample: (random) => sampleOf(answer, random),
    decoder: async (source) => (await moduleOf<typeof HandOverModule>(source, "record/hand-over.ts")).decodeAnswer,
    naive: naiveAnswer,
  }),
  decoding({
    name: "probe",
    sample: probeSample,
    decoder: async (source) => (await moduleOf<typeof ProbeModule>(source, "record/probe.ts")).decodeProbe,
    naive: naiveProbe,
  }),
  decoding({
    name: "asked",
    sample: (random) => sampleOf(note, random),
    decoder: async (source) => (await moduleOf<typeof AskedModule>(source, "record/asked.ts")).decodeAsked,
    naive: naiveAsked,
  }),
  decoding({
    name: "state",
    sample: (random) => sampleOf(state, random),
    decoder: async (source) => (await moduleOf<typeof StateModule>(source, "record/decode-state.ts")).decodeState,
    naive: naiveState,
  }),
  decoding({
    name: "event",
    sample: (random) => sampleOf(event, random),
    decoder: async (source) => (await moduleOf<typeof EventModule>(source, "record/event.ts")).decodeEvent,
    naive: naiveEvent,
  }),
  decoding({
    name: "notifications",
    sample: (random) => sampleOf(notifications, random),
    decoder: async (source) =>
      (await moduleOf<typeof NotificationsModule>(source, "record/notifications.ts")).decodeNotifications,
    naive: naiveNotifications,
  }),
  decoding({
    name: "history",
    sample: (random) => sampleOf(history, random),
    decoder: async (source) => (await moduleOf<typeof HistoryModule>(source, "record/history.ts")).decodeHistory,
    naive: naiveHistory,
  }),
];
