import type { Example } from "../examples.ts";

export const examples: readonly Example[] = [
  { aim: "Why did nothing happen", typed: ["svc-kube-updater status"] },
  { aim: "What would it do now", typed: ["svc-kube-updater dry-run statefulset/agent"] },
  { aim: "Do not wait for the window, this once", typed: ["svc-kube-updater run --now"] },
  { aim: "Take the last move back", typed: ["svc-kube-updater rollback"] },
  { aim: "Try a rejected version again", typed: ["svc-kube-updater retry statefulset/agent 15.4.6"] },
  {
    aim: "The same from where kubectl is",
    typed: ["kubectl exec deployment/agent-updater -- svc-kube-updater status"],
  },
  { aim: "In a program: the reason alone", typed: ["svc-kube-updater status --json | jq -r .objects[].decision.why"] },
];
