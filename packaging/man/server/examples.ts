import type { Example } from "../examples.ts";

export const examples: readonly Example[] = [
  {
    aim: "Begin to serve on this host",
    typed: ["svc-proxy check", "systemctl enable --now svc-proxy.service"],
  },
  {
    aim: "Take a changed configuration, or renewed certificates, into force",
    typed: ["systemctl reload svc-proxy.service"],
  },
  { aim: "Do all instances serve the same", typed: ["svc-proxy config digest"] },
  { aim: "Leave it to a file server", typed: ["svc-proxy export /srv/www"] },
  { aim: "In a program: which channels are there", typed: ["svc-proxy check --json | jq .channels"] },
  {
    aim: "Which version does an updater get",
    typed: ["url=https://proxy.example.com/webapi/automaticupgrades/channel", 'curl -fsS "$url/default/version"'],
  },
  { aim: "What did the server say today", typed: ["journalctl -u svc-proxy --since today"] },
];
