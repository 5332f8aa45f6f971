import { describe, expect, test } from "vitest";
import { commandsIn } from "../../../src/rules/fault/commands.ts";

describe("the commands of a hint", () => {
  test.each([
    ["wait for it to end", []],
    ["set `endpoint` to an https URL, or `downgrade: allow`", []],
    ["`HTTPS_PROXY=http://proxy.example.com:3128 x` is a line", []],
    ["free space there: `df -h /var` shows how much is left", ["df -h /var"]],
    [
      "look: `svc-upgrade status`, `journalctl -u svc-upgrade`; then `svc-upgrade retry`",
      ["svc-upgrade status", "journalctl -u svc-upgrade", "svc-upgrade retry"],
    ],
    ["type `echo 'ca_file: /x' | sudo tee /y`", ["echo 'ca_file: /x' | sudo tee /y"]],
  ])("%s", (hint, commands) => {
    expect(commandsIn(hint)).toEqual(commands);
  });
});
