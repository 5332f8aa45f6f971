import type { Played } from "../../gate-config.ts";

/**
 * The tests on a control plane of the gate, some two minutes of two processors; `npm run whole` plays all. What belongs here: each
 * promise once, by the cheapest test that fails when it is broken.
 */
export const gate: readonly Played[] = [
  {
    file: "moving.test.ts",
    titles: [
      "moves a StatefulSet in its window",
      "takes a version back whose pods do not get ready",
      "moves a Deployment and takes a version back",
      "of two updaters one moves it",
      "goes on with a move after it was killed when the image was patched",
      "goes on with a way back after it was killed when the image was put back",
    ],
    proves: "A move is proven or taken back, once, whoever is killed meanwhile; a person's older image stays.",
  },
  {
    file: "rollout-faults.test.ts",
    titles: [
      "goes back where a quota leaves no room for a pod",
      "frees a set whose pod was ill before",
      "a restart and another number of replicas",
    ],
    proves:
      "A version is blamed for what it does and for nothing else, no good pod is deleted, and what was ill before can be cured.",
  },
  {
    file: "set-back.test.ts",
    titles: ["kubectl rollout undo is a person's", "a record that is wiped is written again"],
    proves: "A person's rollback is left alone, and a record that was lost is known to be lost.",
  },
  {
    file: "fleet.test.ts",
    titles: ["one object moves first while the others wait"],
    proves: "A version goes to one object first, over a restart too.",
  },
  {
    file: "labelled.test.ts",
    titles: ["objects that bear the label are followed"],
    proves: "Objects that bear a label come and go, and are moved as if they were named.",
  },
  {
    file: "leading.test.ts",
    titles: ["one of two leads"],
    proves: "Of two updaters one acts, and the other one goes on where it stopped.",
  },
  {
    file: "five-minutes.test.ts",
    titles: ["the five minutes of docs/kubernetes.md are typed as they stand, with helm4"],
    proves: "The commands of the document work as they are typed, from the cluster's window to the first move.",
  },
  {
    file: "helm-moves.test.ts",
    titles: ["helm4 finds no conflict after a move"],
    proves: "What the updater has moved is helm's to upgrade and to roll back.",
  },
  {
    file: "chart.test.ts",
    titles: [
      "with helm4, the chart > is without a fault",
      "with helm4, the chart > refuses what cannot be meant",
      "with helm4, the chart > keeps the image that the updater has set",
      "gives each account what it needs",
    ],
    proves:
      "The chart installs in restricted namespaces, keeps what the updater has moved, and gives the documented rights alone.",
  },
  {
    file: "looking.test.ts",
    titles: ["says in an Event", "remembers in its record", "sees what has changed while the API server was away"],
    proves: "It looks, tells, remembers, and changes nothing of an object that stays.",
  },
  {
    file: "registry.test.ts",
    titles: ["an image is looked up with the pull secret"],
    proves: "An image is looked up in its registry with a pull secret, and pinned by its digest.",
  },
  {
    file: "image.test.ts",
    titles: ["the updater looks out of its image"],
    proves: "The updater runs out of its OCI layout as its user.",
  },
];
