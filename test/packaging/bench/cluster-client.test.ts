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

describe.skipIf(!isInPath("taskset"))("the client that measures auth", { timeout: 60_000 }, () => {
  let stage: Stage;
  let served: Served;
  beforeAll(async () => {
    stage = await openStage();
    served = await stage.bare("each-call");
  });
  afterAll(() => stage.close());

  async function made(way: string, says: string): Promise<number> {
    const told = join(stage.folder, "client.json");
    const { port, client: shown } = served;
    const body = JSON.stringify({ host: "web1" });
    writeFileSync(told, JSON.stringify({ ...shown, port, path: "/", body, says, way, seconds: 0.2 }));
    return Number((await run(process.execPath, [client, told])).stdout);
  }

  it.each(ways)("counts what was right: %s", async (way) => {
    expect(await made(way, "clusterName")).toBeGreaterThan(0);
  });

  it("fails where an answer is another one", async () => {
    await expect(made("call-kept", "another")).rejects.toThrow("200: ");
  });
});
