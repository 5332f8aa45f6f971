import type { More } from "../commands.ts";

export const more: More = {
  status: "It reads the record, and the object beside it. It needs neither the version server nor the pods.",
  "dry-run": "It asks the channel and writes nothing. The line on standard error says why the object would stay or move.",
  run: "It sets the annotation `svc.dev/run-now` and waits for what the updater decides.",
  retry: "It sets the annotation `svc.dev/retry`. A version after the object is the only one to forget.",
  rollback: "It sets the annotation `svc.dev/rollback`. The version that is left is rejected until `retry`.",
  start: "It is what the image starts. SIGTERM ends it after the step in hand, and the next one goes on from the record.",
  check: "Nothing is asked. The exit status is 78 where something is wrong.",
  "--json": "One object, for a fault too; `/usr/share/svc-kube-updater/schemas` describes them all, key by key.",
};
