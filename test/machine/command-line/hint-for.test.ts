import { expect, it } from "vitest";
import { hintFor } from "../../../src/machine/command-line/hint-for.ts";

it.each([
  ["tctl", "`tctl get role`", undefined, "`tctl get role`"],
  [
    "tctl",
    "read it, `tctl get role/a`, or `sudo tctl rm role/a`",
    "./a b.yaml",
    "read it, `tctl -c './a b.yaml' get role/a`, or `sudo tctl -c './a b.yaml' rm role/a`",
  ],
  [
    "svc",
    "see `sudo svc check`, or `svc check --config FILE`",
    "svc.yaml",
    "see `sudo svc -c svc.yaml check`, or `svc check --config FILE`",
  ],
  ["svc", "`svc check`", "/etc/svc.yaml", "`svc check`"],
  ["svc", "`tctl status` on the auth host", "svc.yaml", "`tctl status` on the auth host"],
  ["tctl", "name it: `tctl -c FILE …`", "svc.yaml", "name it: `tctl -c FILE …`"],
  ["tctl", "`tctl tokens ls` shows them", "0a".repeat(32), "`tctl -c FILE tokens ls` shows them"],
  ["tctl", "`systemctl status svc`, tctl says", "svc.yaml", "`systemctl status svc`, tctl says"],
])("of %s: %s, for the configuration %s", (program, hint, config, typed) => {
  expect(hintFor(hint, { program, config })).toBe(typed);
});
