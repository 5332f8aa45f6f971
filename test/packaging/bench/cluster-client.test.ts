import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStage, type Served, type Stage } from "../../../packaging/bench/cluster/stage.ts";
import { ways } from "../../../packaging/bench/cluster/load.ts";
import { isInPath } from "../../../packaging/tool.ts";

const client = join(import.meta.dirname, "../../../packaging/bench/cluster/client.cjs");
const run = promisify(execFile);
if (!isInPath("taskset")) console.warn("SKIPPED: the client that measures auth: taskset is not installed");

describe.skipIf(!isInPath("taskset"))("the client that measures auth", () => {
  let stage: Stage;
  let served: Served;
  beforeAll(async () => {
    stage = await openStage();
    served = await stage.bare("each-call");
  });
  afterAll(() => stage.close());

  async function loaded(way: string, says: string): Promise<{ readonly made: number; readonly last: readonly number[] }> {
    const told = join(stage.folder, "client.json");
    const { port, clients } = served;
    const body = JSON.stringify({ hostname: "webHOST", counter: "COUNTER" });
    writeFileSync(told, JSON.stringify({ clients, port, path: "/", body, says, way, seconds: 0.2 }));
    const [begins, counted = "", rest] = (await run(process.execPath, [client, told])).stdout.split("\n");
    // From there the server's time is counted.
    expect([begins, rest]).toEqual(["begins", ""]);
    return JSON.parse(counted) as never;
  }

  it.each(ways)("counts what was right: %s", async (way) => {
    const { made, last } = await loaded(way, "clusterName");
    expect(made).toBeGreaterThan(0);
    expect([last.length, last.reduce((sum, of) => sum + of, 0)]).toEqual([served.clients.length, made]);
  });

  it("fails where an answer is another one", async () => {
    await expect(loaded("call-kept", "another")).rejects.toThrow("200: ");
  });
});
