import type { Example } from "../examples.ts";

export const examples: readonly Example[] = [
  { aim: "Is the auth service there, and what is its pin", typed: ["tctl status"] },
  { aim: "Say when agents move", typed: ["tctl create -f cluster-maintenance-config.yaml"] },
  {
    aim: "Let somebody else say so",
    typed: ["tctl create role.yaml", "tctl users update alice --set-roles=editor,maintenance-manager"],
  },
  { aim: "Invite somebody", typed: ["tctl users add bob --roles=editor"] },
  { aim: "Somebody has lost a telephone", typed: ["tctl users reset alice"] },
  { aim: "Let one proxy join within the next half hour", typed: ["tctl tokens add --type=proxy --ttl=30m --uses=1"] },
  { aim: "Which hosts does nobody update", typed: ["tctl inventory ls --upgrader=none"] },
  { aim: "Who changed a role today", typed: ["tctl audit ls --since=24h --kind=role"] },
  { aim: "Keep everything", typed: ["tctl backup /root/cluster-backup"] },
  {
    aim: "Put it back",
    typed: ["systemctl stop svc", "tctl restore /root/cluster-backup", "systemctl start svc"],
  },
  { aim: "In a program: what --ca-pin takes", typed: ["tctl status --format json | jq -r '.ca_pins | join(\",\")'"] },
];
