import { expect, test } from "vitest";
import { quietCommand } from "../../../src/updater/cli/quiet.ts";
import { play } from "../../told/play.ts";

test.each(["pass", "ask", "dry-run"])("%s said alone ends as it does where its command line is parsed", async (name) => {
  const alone = await play([name]);
  expect(alone).toEqual(await play([name, "--log-level", "info"]));
  expect(alone.stderr).toMatch(/ fault=\S+\n$/);
});

test.each([[[]], [["dry-run", "--json"]], [["dry-run", "--"]], [["status"]], [["--version"]], [[""]]])(
  "%j is left to the parser",
  (argv) => {
    const nothing = (): void => undefined;
    const stopping = new AbortController().signal;
    const places = { out: nothing, error: nothing, stdoutIs: "other", stderrIs: "other" } as const;
    expect(quietCommand({ argv, environment: {}, userId: 0, stopping, ...places })).toBeUndefined();
  },
);
