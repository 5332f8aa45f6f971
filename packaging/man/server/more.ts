import type { More } from "../commands.ts";

export const more: More = {
  serve:
    "It is what `svc-proxy.service` starts. The server ends at SIGTERM, when what was asked is answered, and reloads its configuration at SIGHUP.",
  check:
    "Reads the certificates too. As root it looks as `svc-proxy.service` would, with that unit's user, groups, proxies and sandbox, and says what to type where a file is closed to it; else it says that it did not look at this. Nothing is served or asked. The exit status is 78 where something is wrong.",
  "config digest": "The answers of channels carry it in a header; instances that differ in it answer differently.",
  export:
    "Names every file that it wrote. A channel that is forwarded has no file. The folders and files are created or replaced; none is removed.",
  "--json": "One object, for a fault too; `/usr/share/svc-proxy/schemas` describes them all, key by key.",
};
