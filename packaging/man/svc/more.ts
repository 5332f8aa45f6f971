import type { More } from "../commands.ts";

export const more: More = {
  start:
    "It is what `svc.service` starts. SIGTERM ends it, when what was asked is answered; at SIGHUP it reads the configuration again, all of it or nothing.",
  check: "Reads the certificates too. Nothing is served or asked. The exit status is 78 where something is wrong.",
  join: "Nothing is sent until the server has shown an authority with the pin. The key is made here and stays here. Where this host has joined already, auth is asked: if it knows the host, no token is used, and the exit status is 0; if it has removed the host, the host joins anew.",
  "--token": "One line. It is no argument, because everybody could read it in the list of processes.",
  "--replace": "For a host that was removed, whose identity cannot be read, or that goes to another cluster.",
  "--pid-file": "It is written in place, and empty once the process has ended.",
  "--json": "One object, for a fault too; `/usr/share/svc/schemas` describes them all, key by key.",
};
