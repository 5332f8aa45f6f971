import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const toBrowser = new URL("../../../src/cluster/session/to-browser.ts", import.meta.url).href;

test("a program that only waits for a sign-in stays until there is an answer", () => {
  const program = `
    import { untilAnswered } from ${JSON.stringify(toBrowser)};
    const answers = [undefined, "answered"];
    console.log(await untilAnswered(async () => answers.shift(), new AbortController().signal));`;
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  expect(said).toBe("answered\n");
});
