import type { Example } from "../examples.ts";

export const examples: readonly Example[] = [
  { aim: "Begin a cluster on this host", typed: ["svc check", "systemctl enable --now svc.service", "tctl status"] },
  {
    aim: "Take a changed configuration, or renewed certificates, into force",
    typed: ["systemctl reload svc.service"],
  },
  {
    aim: "Make this host a node of a cluster, with what `tctl tokens add --type=node` on its auth host printed",
    typed: ["svc join --auth-server auth1 --token ./token --ca-pin sha256:PIN", "systemctl enable --now svc.service"],
  },
  {
    aim: "Make this host a proxy of a cluster, with what `tctl tokens add --type=proxy` on its auth host printed",
    typed: ["svc join --auth-server auth1 --token ./token --ca-pin sha256:PIN", "systemctl try-reload-or-restart svc.service"],
  },
  { aim: "Try it in a folder, as any user", typed: ["svc start --config ./svc.yaml", "tctl -c ./svc.yaml status"] },
  { aim: "In a program: what would run here", typed: ["svc check --json | jq .auth_service"] },
  { aim: "What did it say today", typed: ["journalctl -u svc --since today"] },
];
