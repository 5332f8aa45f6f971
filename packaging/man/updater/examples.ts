import type { Example } from "../examples.ts";

export const examples: readonly Example[] = [
  {
    aim: "Put a host on its cluster's channel",
    typed: ["svc-upgrade enroll --endpoint https://proxy.example.com"],
  },
  { aim: "Why did nothing happen, and what is broken", typed: ["svc-upgrade status", "svc-upgrade doctor"] },
  { aim: "What would a pass do on Sunday night", typed: ['svc-upgrade dry-run --at "2026-11-22 03:30"'] },
  { aim: "Move now, whatever the window says", typed: ["svc-upgrade run --now"] },
  {
    aim: "Let nothing move over the holidays",
    typed: ['svc-upgrade hold 2027-01-04 --reason "year-end freeze"'],
  },
  { aim: "Go back to the version before, and stay there", typed: ["svc-upgrade hold", "svc-upgrade rollback"] },
  {
    aim: "In a script: does an upgrade wait here",
    typed: ["svc-upgrade dry-run --exit-code >/dev/null", 'test $? -eq 100 && echo "an upgrade waits"'],
  },
  { aim: "In a program: why does nothing happen", typed: ["svc-upgrade status --json | jq -r .next.why"] },
  { aim: "What did the passes of today say", typed: ["journalctl -u svc-upgrade --since today"] },
];
