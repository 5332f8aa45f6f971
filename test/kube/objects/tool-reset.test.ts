import { describe, expect, test } from "vitest";
import { decide } from "../../../src/kube/objects/decide-object.ts";
import { nothingStands, type Ended, type Standing } from "../../../src/kube/objects/move-memory.ts";
import type { SeenObject } from "../../../src/kube/objects/seen.ts";
import { noteReset, type ResetSight } from "../../../src/kube/objects/tool-reset.ts";
import { version } from "../../rules/version/given.ts";
import { serves } from "../../updater/plan/given.ts";
import { given, noMemory, now, objectOf, statusOf } from "./given.ts";

const [older, newer] = [version("15.4.5"), version("15.4.6")];
const repository = "registry.example:5000/svc";
const [oldImage, newImage] = [`${repository}:15.4.5`, `${repository}:15.4.6`];

const proven: Ended = {
  outcome: "proven",
  from: older,
  to: newer,
  imageBefore: oldImage,
  image: newImage,
  at: now - 7200,
  why: undefined,
};
const back: Ended = { ...proven, outcome: "back", why: "it was not ready" };
const rejected: Standing["rejected"] = [{ served: newer, artifact: newImage, at: now - 7200, why: "it was not ready" }];

/** An object with that image, as that manager has set it. */
function having(image: string, manager = "helm", changes: Partial<SeenObject> = {}): SeenObject {
  const imageSetters = [{ container: "svc", manager, operation: "Update", time: "2026-11-20T02:00:00Z" }];
  return objectOf({ containers: [{ name: "svc", image }], imageSetters, ...changes });
}

function sightOf(object: SeenObject, changes: Partial<ResetSight> = {}): ResetSight {
  const current = object.containers[0]?.image.includes(":15.4.6") ? newer : older;
  return { now, object, own: { revision: "b" }, container: "svc", current, ...changes };
}

const noted = (last: Ended | undefined, object: SeenObject, more: Partial<Standing> = {}): Standing =>
  noteReset({ ...nothingStands, last, ...more }, sightOf(object));

describe("an older image that a tool has set", () => {
  test.each([proven, { ...proven, outcome: "overtaken" as const }])("is noted, and counted: $outcome", (last) => {
    expect(noted(last, having(oldImage))).toEqual({
      ...nothingStands,
      resets: [{ served: newer, times: 1 }],
      last: { ...last, outcome: "reset", at: now, why: `${oldImage} was set by helm at 2026-11-20T02:00:00Z` },
    });
  });

  test("is counted for each version by itself", () => {
    const resets = [
      { served: older, times: 2 },
      { served: newer, times: 1 },
    ];
    expect(noted(proven, having(oldImage), { resets }).resets).toEqual([
      { served: older, times: 2 },
      { served: newer, times: 2 },
    ]);
  });

  test.each<readonly [string, Ended | undefined, SeenObject, Partial<ResetSight>]>([
    ["by a person", proven, having(oldImage, "kubectl-set"), {}],
    ["where nothing was moved", undefined, having(oldImage), {}],
    ["where it was taken back here", back, having(oldImage), {}],
    ["where it was noted before", { ...proven, outcome: "reset" }, having(oldImage), {}],
    ["where it is the moved one", proven, having(newImage), {}],
    ["where it is no older one", proven, having("mirror.example/svc:15.4.6"), {}],
    ["in a container that is not there", proven, having(oldImage), { container: "none" }],
    ["whose version nobody can tell", proven, having(oldImage), { current: undefined }],
  ])("is none %s", (_, last, object, changes) => {
    const standing = { ...nothingStands, last };
    expect(noteReset(standing, sightOf(object, changes))).toBe(standing);
  });

  test("is moved again when it may, twice, and left to the tool from then on", () => {
    let standing: Standing = nothingStands;
    const decisions = [1, 2, 3].map(() => {
      standing = noteReset({ ...standing, last: proven }, sightOf(having(oldImage)));
      return decide(...given({ object: having(oldImage), memory: { ...noMemory, standing } }));
    });
    expect(decisions).toMatchObject([{ kind: "move" }, { kind: "move" }, { kind: "stay", why: "gitops" }]);
    expect(decisions[2]).toMatchObject({
      told: `a tool has undone the move to or from 15.4.6 three times: ${oldImage} was set by helm at 2026-11-20T02:00:00Z`,
      lift: expect.stringContaining("svc.dev/retry="),
    });
    const memory = { ...noMemory, standing };
    expect(decide(...given({ object: having(oldImage), memory, answer: serves(version("15.4.7")) }))).toMatchObject({
      kind: "move",
    });
  });
});

describe("a rejected version that a tool has set", () => {
  test("is taken back at once, and counted", () => {
    expect(noted(back, having(newImage), { rejected })).toMatchObject({
      resets: [{ served: newer, times: 1 }],
      last: back,
      move: {
        step: "going-back",
        from: older,
        to: newer,
        imageBefore: oldImage,
        image: newImage,
        revisions: ["b"],
        cause: `${newImage} was set by helm at 2026-11-20T02:00:00Z, which was rejected here`,
      },
    });
  });

  test("is taken back to the version that was proven since", () => {
    const last = { ...proven, to: version("15.4.7"), image: `${repository}:15.4.7` };
    expect(noted(last, having(newImage), { rejected })).toMatchObject({
      resets: [{ served: "15.4.7", times: 1 }],
      move: { step: "going-back", from: "15.4.7", to: newer, imageBefore: `${repository}:15.4.7`, image: newImage },
    });
  });

  test("waits until its controller has seen it: a stuck pod is known by its revision", () => {
    const unseen = having(newImage, "helm", statusOf({ observedGeneration: 1 }));
    expect(noted(back, unseen, { rejected })).toEqual({ ...nothingStands, last: back, rejected });
    const standing = { ...nothingStands, last: back, rejected };
    const unnamed = sightOf(having(newImage), { own: { revision: "" } });
    expect(noteReset(standing, unnamed)).toBe(standing);
  });

  test("is left to the tool after two times, and told", () => {
    const before = { rejected, resets: [{ served: newer, times: 2 }] };
    const standing = noted(back, having(newImage), before);
    expect(standing).toMatchObject({ move: undefined, resets: [{ times: 3 }] });
    expect(noted(back, having(newImage), standing)).toEqual(standing);
    const facts = { object: having(newImage), memory: { ...noMemory, standing } };
    expect(decide(...given(facts))).toMatchObject({ why: "gitops", told: expect.stringMatching(/15\.4\.6 three times$/) });
    const forgiven = { ...facts.memory, standing: { ...standing, rejected: [] } };
    expect(decide(...given({ ...facts, memory: forgiven }))).toMatchObject({ why: "current" });
  });

  test("is none by a person, in the middle of a move, or where nothing else is known", () => {
    expect(noted(back, having(newImage, "kubectl"), { rejected }).move).toBeUndefined();
    expect(noted(undefined, having(newImage), { rejected }).move).toBeUndefined();
    expect(noted(proven, having(newImage), { rejected }).move).toBeUndefined();
    const { move } = noted(back, having(newImage), { rejected });
    const standing = { ...nothingStands, last: back, rejected, move };
    expect(noteReset(standing, sightOf(having(newImage)))).toBe(standing);
  });

  test.each([
    [newImage, "sha256:1", true],
    [`${newImage}@sha256:1`, "sha256:1", true],
    [`${newImage}@sha256:1`, undefined, true],
    [`${newImage}@sha256:2`, "sha256:1", false],
  ])("%s where %s was rejected: %s", (image, digest, isTaken) => {
    const rows = rejected.map((row) => (digest === undefined ? row : { ...row, digest }));
    expect(noted(back, having(image), { rejected: rows }).move !== undefined).toBe(isTaken);
  });
});
