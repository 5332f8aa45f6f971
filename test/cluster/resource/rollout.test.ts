import { expect, test } from "vitest";
import { readResource, type ResourceOf } from "../../../src/cluster/resource/resource.ts";
import { specOf } from "../../../src/cluster/resource/rollout.ts";

const others = { name: "rest", select: "others" };
const usual = { channel: "default", target: "v15.4.6", stages: [others] };

function wrongIn(spec: object): readonly string[] {
  const reading = readResource({ kind: "rollout", version: "v1", metadata: { name: "agents" }, spec: { ...usual, ...spec } });
  return reading.kind === "refused" ? reading.refusals.map(({ at }) => at) : [];
}

const stage = (changes: object): object => ({ stages: [{ name: "canary", select: { percent: 5 }, ...changes }, others] });

test.each([
  ["a version that is none", { target: "newest" }, [".spec.target"]],
  ["no stage", { stages: [] }, [".spec.stages"]],
  ["no stage for the other hosts", { stages: [{ ...others, select: { percent: 5 } }] }, [".spec.stages[0].select"]],
  ["the other hosts before the last stage", { stages: [others, { ...others, name: "late" }] }, [".spec.stages[0].select"]],
  ["two stages of one name", { stages: [{ ...others, select: { percent: 5 } }, others] }, [".spec.stages[1].name"]],
  ["a share of none", stage({ at_once: "0%" }), [".spec.stages[0].at_once"]],
  ["more than all", stage({ at_once: "101%" }), [".spec.stages[0].at_once"]],
  ["half a host", stage({ at_once: 1.5 }), [".spec.stages[0].at_once"]],
  ["no host at once", stage({ at_once: 0 }), [".spec.stages[0].at_once"]],
  ["a million and one", stage({ at_once: 1_000_001 }), [".spec.stages[0].at_once"]],
  ["a share that is no text", { done: true }, [".spec.done"]],
  ["percent of nobody", stage({ select: { percent: 0 } }), [".spec.stages[0].select"]],
  ["percent of more than all", stage({ select: { percent: 100.5 } }), [".spec.stages[0].select"]],
  ["labels and percent at once", stage({ select: { percent: 5, labels: { a: "b" } } }), [".spec.stages[0].select"]],
  ["a selection that is a list", stage({ select: ["others"] }), [".spec.stages[0].select"]],
  ["no labels", stage({ select: { labels: {} } }), [".spec.stages[0].select"]],
  ["labels that are a text", stage({ select: { labels: "env=canary" } }), [".spec.stages[0].select"]],
  ["a label without a name", stage({ select: { labels: { "": "b" } } }), [".spec.stages[0].select"]],
  ["a label whose value is a number", stage({ select: { labels: { a: 1 } } }), [".spec.stages[0].select"]],
  ["a label whose value a terminal would obey", stage({ select: { labels: { a: "\u001b" } } }), [".spec.stages[0].select"]],
  [
    "more labels than anybody needs",
    stage({ select: { labels: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`l${index}`, "x"])) } }),
    [".spec.stages[0].select"],
  ],
])("%s is refused", (_what, spec, at) => {
  expect(wrongIn(spec)).toEqual(at);
});

test.each([
  [{ label: { env: "canary" } }, ".label", "unknown key, did you mean labels?", "labels or percent"],
  [{ percents: 5 }, ".percents", "unknown key, did you mean percent?", "labels or percent"],
  [{ zone: "a" }, ".zone", "unknown key", "labels or percent"],
  [{ percent: 5, labels: {} }, "", "percent and labels", "{labels"],
  [{}, "", "an empty mapping", "{labels"],
])("%j is told as what it is", (select, at, found, allowed) => {
  const spec = { ...usual, ...stage({ select }) };
  const reading = readResource({ kind: "rollout", version: "v1", metadata: { name: "agents" }, spec });
  expect(reading).toMatchObject({
    refusals: [{ at: `.spec.stages[0].select${at}`, found, allowed: expect.stringContaining(allowed) }],
  });
});

test.each([
  ["yes", true],
  [true, true],
  ["no", false],
  [false, false],
  [undefined, false],
])("downgrade: %s", (downgrade, wanted) => {
  const spec = downgrade === undefined ? usual : { ...usual, downgrade };
  const reading = readResource({ kind: "rollout", version: "v1", metadata: { name: "agents" }, spec });
  expect(reading).toMatchObject({ value: { spec: { downgrade: wanted } } });
  expect(wrongIn({ downgrade: "perhaps" })).toEqual([".spec.downgrade"]);
});

test("the rules get shares, seconds and labels; nobody proves a version in less time than three reports take", () => {
  const reading = readResource({
    kind: "rollout",
    version: "v1",
    metadata: { name: "agents" },
    spec: {
      ...usual,
      stages: [
        { name: "canary", select: { labels: { env: "canary" } }, soak: "1h", at_once: 3 },
        { name: "few", select: { percent: 2.5 } },
        others,
      ],
      halt: { failed: 2 },
      done: "90%",
    },
  });
  if (reading.kind !== "value") throw new Error("it is refused");
  const { spec } = reading.value as ResourceOf<"rollout">;
  expect(specOf(spec, 600)).toMatchObject({
    channel: "default",
    target: "15.4.6",
    stages: [
      { select: { kind: "labels", labels: { env: "canary" } }, soakSeconds: 3600, atOnce: { kind: "count", count: 3 } },
      { select: { kind: "percent", percent: 2.5 }, soakSeconds: 86_400, atOnce: { kind: "percent", percent: 100 } },
      { select: { kind: "others" } },
    ],
    halt: { failed: { kind: "count", count: 2 }, silent: { kind: "percent", percent: 2 }, atLeast: 3 },
    donePercent: 90,
    proveSeconds: 2400,
    silentSeconds: 1800,
  });
  expect(specOf(spec, 1200).proveSeconds).toBe(3600);
  const critical = specOf({ ...spec, critical: true }, 600);
  expect([critical.isCritical, critical.stages.map(({ soakSeconds }) => soakSeconds), critical.proveSeconds]).toEqual([
    true,
    [0, 0, 0],
    2400,
  ]);
});
