import type { More } from "../commands.ts";

export const more: More = {
  create:
    "The whole file is read before any of it is sent: with one fault in it, nothing is, and every fault is told at once with its line. Without -f what is there already is refused.",
  get: "What it prints, `tctl create -f` takes. Secrets are left out unless they are asked for, and a secret that is absent keeps what is there.",
  edit: "Opens $VISUAL, else $EDITOR, else vi. What is refused comes back with the faults as comments; what is left without being taken is kept in a file that is named.",
  "users add":
    "The link works once, and is shown this once: auth keeps its digest alone. Without the public address of a proxy no link is made, and the answer says how to make one.",
  "users reset": "At once the password and the codes are void, and the sessions end.",
  "users update": "Name the roles that the user has already as well: all others are gone.",
  "tokens add":
    "Prints the line that is to be typed on the host that joins. The token is shown this once: auth keeps its digest alone.",
  "tokens rm": "Instances that joined with it stay, until `tctl instances rm`.",
  "inventory ls":
    "An instance is silent once it has missed three reports without having said goodbye, and is left out after 30 days; it comes back by reporting. Time in which no auth service took reports does not count. If the updater's timer is off, the upgrader is `none`. The operating system is that of os-release on the host; it is missing where svc is of an earlier release.",
  "inventory show":
    "Every host of that name is shown: hosts name themselves. A version of a later major than auth's, or more than one major behind, is marked in both.",
  backup: "The auth service may run meanwhile. The file ends with its own digest, and is read again before the command ends.",
  restore:
    "Puts back a whole backup or nothing. The store that was there is kept under a dated name; join tokens are void, and what was removed after the backup is removed again.",
  "--with-secrets": "Delete a file that holds them as soon as it is of no use.",
  "--config": "It says where `data_dir` is, in which auth has its socket.",
  "--proxy": "Without it, root's socket where it answers, else the session that is in use.",
  "--format":
    "JSON is one object, for a fault too; `/usr/share/tctl/schemas` describes them all, key by key. The answer of `get` is the resource itself, or a list of resources.",
};
