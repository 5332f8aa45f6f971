import { mkdirSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { pathsBelow } from "../../src/host/paths.ts";
import { startAsking } from "../../src/pass/start-asking.ts";
import { scratchFolder } from "../host/scratch.ts";

const paths = pathsBelow(scratchFolder());
const directory = `${paths.root}/run/svc-upgrade-ask`;
mkdirSync(directory, { recursive: true });

let said: unknown[];
beforeEach(() => {
  said = [];
});

function start(refusal?: string): Promise<string | undefined> {
  const control = {
    clean: async (unit: string) => (said.push(`clean ${unit}`), refusal),
    change: async (how: string, unit: string) => (said.push(`${how} ${unit}`), undefined),
  };
  return startAsking({ paths, control, log: (level) => said.push(level) })();
}

describe("the asking unit", () => {
  test("is started at once where it has left nothing but its reply", async () => {
    writeFileSync(paths.answer, "{}");
    expect(await start()).toBeUndefined();
    expect(said).toEqual(["start svc-upgrade-ask.service"]);
  });

  test("is cleaned first where it has left more, and that is told", async () => {
    writeFileSync(`${directory}/more`, "");
    expect(await start()).toBeUndefined();
    expect(said).toEqual(["warning", "clean svc-upgrade-ask.service", "start svc-upgrade-ask.service"]);
  });

  test("is not started where that cannot be removed", async () => {
    writeFileSync(`${directory}/more`, "");
    expect(await start("Access denied")).toBe("what it had left could not be removed: Access denied");
    expect(said).toEqual(["warning", "clean svc-upgrade-ask.service"]);
  });
});
