import type * as ImageModule from "../../../src/kube/objects/image.ts";
import type { TagRule } from "../../../src/kube/objects/image.ts";
import type * as ScheduleModule from "../../../src/kube/objects/schedule.ts";
import type * as SeenModule from "../../../src/kube/objects/seen.ts";
import { printInstant } from "../../../src/rules/window/instant.ts";
import { near } from "../mutate.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { target, type Target } from "../target.ts";
import { instantText, versionText } from "../texts.ts";
import { mutatedJson } from "../values.ts";

const rule = "{version}" as TagRule;

function imageText(random: Random): string {
  const registry = random.pick(["", "registry.example:5000/", "a/b-c/", "localhost/"]);
  const tag = random.pick([
    "",
    `:${versionText(random)}`,
    `:${versionText(random)}`,
    `:${versionText(random)}-alpine`,
    ":latest",
  ]);
  return `${registry}svc${tag}${random.pick(["", "", `@sha256:${"0a".repeat(32)}`])}`;
}

const image: Target = target({
  name: "kube-image",
  generate: near(imageText),
  load: async (source) => {
    const { imageOf, versionIn } = await moduleOf<typeof ImageModule>(source, "kube/objects/image.ts");
    return {
      read: (input) => {
        const found = versionIn(input, rule, "object");
        return "version" in found
          ? { kind: "accepted", value: found.version }
          : { kind: "refused", told: [found.why, found.hint] };
      },
      print: (version) => imageOf("svc", version, rule),
    };
  },
});

const now = 1_795_140_600;

const schedule: Target = target({
  name: "kube-schedule",
  generate: (random: Random) =>
    mutatedJson(random, {
      windows: random.several(0, 3, () => ({
        start: random.pick([instantText(random), "2026-11-27T02:00:00.5Z"]),
        stop: random.pick([instantText(random), "2026-11-27T03:00:00+01:00", "2027-01-01T00:00:00Z"]),
      })),
    }),
  load: async (source) => {
    const { scheduleIn } = await moduleOf<typeof ScheduleModule>(source, "kube/objects/schedule.ts");
    return {
      read: (input) => {
        const found = scheduleIn({ kind: "text", text: input }, now);
        return found.kind === "windows" ? { kind: "accepted", value: found.windows } : { kind: "refused", told: [found.told] };
      },
      print: (windows) =>
        JSON.stringify({ windows: windows.map(({ start, stop }) => ({ start: printInstant(start), stop: printInstant(stop) })) }),
    };
  },
});

const object: Target = target({
  name: "kube-object",
  generate: (random: Random) =>
    mutatedJson(random, {
      metadata: {
        uid: "1",
        resourceVersion: "2",
        generation: random.below(3),
        annotations: { "svc.dev/skipreconcile": random.pick(["true", "yes", ""]) },
        labels: { "helm.toolkit.fluxcd.io/name": "a" },
        managedFields: [{ manager: random.pick(["kubectl", "argocd-controller"]) }],
      },
      spec: {
        replicas: random.below(4),
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: random.below(4) } },
        template: { spec: { containers: [{ name: "svc", image: imageText(random) }] } },
      },
      status: { observedGeneration: 1, replicas: 3, updatedReplicas: 2, readyReplicas: 1, updateRevision: "a" },
    }),
  load: async (source) => {
    const { readObject } = await moduleOf<typeof SeenModule>(source, "kube/objects/seen.ts");
    return {
      read: (input) => {
        const found = readObject(parsed(input));
        return found.kind === "read" ? { kind: "accepted", value: found.value } : { kind: "refused", told: [found.why] };
      },
    };
  },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const kubeTargets: readonly Target[] = [image, schedule, object];
