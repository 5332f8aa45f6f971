import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort, place, service } from "./process.ts";

const host = "0a".repeat(16);
const kept = (word: object): string => JSON.stringify({ schema: 1, epoch: 3, number: "3.12", at: 1_800_000_000, words: [word] });
const moving = {
  number: 12,
  channel: "default",
  target: "15.4.7",
  from: { kind: "version", version: "15.4.5" },
  state: "moving",
  ids: [host],
  threshold: 0,
};

async function answered(
  words: string,
): Promise<{ readonly texts: readonly string[]; readonly marks: readonly (string | null)[]; readonly log: string }> {
  const [web, look] = await Promise.all([freePort(), freePort()]);
  using at = place(`svc: {data_dir: DIR/data}
proxy_service: {public_addr: proxy.example.com, version: v15.4.6, web_listen_addr: 127.0.0.1:${web}, diag_addr: 127.0.0.1:${look}}
`);
  mkdirSync(join(at.directory, "data"), { mode: 0o700 });
  writeFileSync(join(at.directory, "data/rollout-words.json"), words);
  await using proxy = await service(at.config);
  const url = `http://127.0.0.1:${web}/v1/webapi/automaticupgrades/channel/default/version`;
  const answers = await Promise.all([
    fetch(url),
    fetch(url, { headers: { "x-svc-host": host, "x-svc-installed": "15.4.7" } }),
    fetch(url, { headers: { "x-svc-host": host, "x-svc-installed": "15.4.5" } }),
  ]);
  const marks = answers.map((answer) => answer.headers.get("x-svc-unconfirmed"));
  return { texts: await Promise.all(answers.map(async (answer) => (await answer.text()).trim())), marks, log: proxy.log() };
}

test("a proxy that starts without auth tells the target to hosts that have it, and marks its answers", async () => {
  const { texts, marks } = await answered(kept(moving));
  expect(texts).toEqual(["v15.4.5", "v15.4.7", "v15.4.5"]);
  expect(marks).toEqual(["yes", "yes", "yes"]);
});

test("a proxy whose stored words are damaged says so, and serves its configuration", async () => {
  const { texts, log } = await answered("{");
  expect(texts).toEqual(["v15.4.6", "v15.4.6", "v15.4.6"]);
  expect(log).toContain("what auth said about rollouts cannot be read");
});
