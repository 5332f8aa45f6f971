import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { server } from "../../../packaging/products/server.ts";
import { schemaOf } from "../../../packaging/schemas/schemas.ts";
import { faultsOf } from "../../../src/rules/fault/program-faults.ts";
import { main } from "../../../src/proxy/server/main.ts";
import { complaints, documentedKeys, keysOf, wordsAt } from "../../updater/cli/documented.ts";

const good = `
proxy_service:
  public_addr: proxy.example.com
  version: v15.4.6
  acme: {}
  automatic_upgrades_channels:
    urgent: {static_version: v15.4.7, critical: yes}
    paused: {static_version: none}
`;

let place = "";
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "svc-proxy-schemas-"));
  write("good.yaml", good);
  write("forwarded.yaml", `${good}    stable/cloud: {forward_url: "http://127.0.0.1:1/stable/cloud"}\n`);
  write("wrong.yaml", "proxy_service: {}\n");
  write("file", "");
});
afterAll(() => rmSync(place, { recursive: true }));

/** So that together they have every key. */
const ways: readonly (readonly [answer: string, argv: readonly string[]])[] = [
  ["check", ["check", "--config", "PLACE/good.yaml"]],
  ["check", ["check", "--config", "PLACE/forwarded.yaml"]],
  ["digest", ["config", "digest", "--config", "PLACE/good.yaml"]],
  ["export", ["export", "PLACE/www", "--config", "PLACE/good.yaml"]],
  ["version", ["version"]],
  ["fault", ["check", "--config", "PLACE/wrong.yaml"]],
  ["fault", ["check", "--config", "PLACE/missing.yaml"]],
  ["fault", ["export", "PLACE/file/below", "--config", "PLACE/good.yaml"]],
  ["fault", ["chek"]],
];

describe.each(Object.keys(server.answers))("the schema of %s", (name) => {
  test("allows what svc-proxy answers, and documents every key and no other", async () => {
    const seen = new Set<string>();
    for (const [, argv] of ways.filter(([answer]) => answer === name)) {
      const said: unknown = JSON.parse(await answered(argv));
      expect([argv, said, ...complaints(name, said, server)]).toEqual([argv, said]);
      for (const key of keysOf(said)) seen.add(key);
    }
    expect([...documentedKeys(schemaOf(server, name))].filter((key) => !seen.has(key))).toEqual([]);
  });
});

test("the schema of fault knows the faults that the manual page knows", () => {
  expect(wordsAt(schemaOf(server, "fault"), "fault.code")).toEqual(Object.keys(faultsOf["svc-proxy"]));
});

async function answered(argv: readonly string[]): Promise<string> {
  let stdout = "";
  await main({
    argv: [...argv.map((word) => word.replace("PLACE", place)), "--json"],
    environment: {},
    processId: 1,
    out: (text) => (stdout += text),
    error: () => undefined,
    stderrIs: "other",
    stopping: AbortSignal.abort(),
    onHangUp: () => undefined,
  });
  return stdout;
}

function write(name: string, text: string): void {
  writeFileSync(join(place, name), text);
}
