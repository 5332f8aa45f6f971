import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { excerpt } from "../../documents.ts";
import { said } from "../tctl/running.ts";
import { startWithRollouts } from "./rollout-scene.ts";

test.each([
  ["rollout-one", ["all"]],
  ["rollout-canary", ["canary", "rest"]],
  ["rollout-production", ["staging", "tenth", "production"]],
])("the recipe %s makes the stages %j", async (name, stages) => {
  await using auth = await startWithRollouts();
  const config = join(auth.directory, "svc.yaml");
  writeFileSync(config, `svc: {data_dir: ${auth.directory}}\nauth_service: {}\n`);
  writeFileSync(join(auth.directory, "agents.yaml"), excerpt(name));
  const tctl = (...words: readonly string[]) => said([...words, "-c", config]);
  await auth.words();
  expect(await tctl("create", "-f", join(auth.directory, "agents.yaml"))).toMatchObject({ status: 0, error: "" });
  const shown = async (): Promise<readonly string[]> => {
    const { out } = await tctl("rollout", "status", "default", "--format", "json");
    const { rollout } = JSON.parse(out) as { readonly rollout: { readonly stages: readonly { readonly name: string }[] } };
    return rollout.stages.map((stage) => stage.name);
  };
  await expect.poll(shown).toEqual(stages);
});
