import { describe, expect, test } from "vitest";
import { parseShownEnvironment } from "../../src/unit/unit-environment.ts";

describe("the environment of a unit, as systemctl shows it", () => {
  test.each([
    ["", {}],
    ["A=1", { A: "1" }],
    ["A=1 B= C=x=y", { A: "1", B: "", C: "x=y" }],
    [
      'A=1 "SVC_UPGRADE_HEALTH_COMMAND=/usr/bin/check all" B=2',
      { A: "1", SVC_UPGRADE_HEALTH_COMMAND: "/usr/bin/check all", B: "2" },
    ],
    ['"A=say \\"no\\" for \\$5 \\\\ or \\`less\\`"', { A: 'say "no" for $5 \\ or `less`' }],
    ['"A=two\\nlines\\tand more"', { A: "two\nlines\tand more" }],
  ])("%s", (shown, environment) => {
    expect(parseShownEnvironment(shown)).toEqual(environment);
  });
});
