import { expect, test } from "vitest";
import { parseNoProxy } from "../../src/rules/route/no-proxy.ts";
import { readPlainYaml } from "../../src/machine/yaml/read-plain-yaml.ts";
import { readEndpoint } from "../../src/rules/settings/endpoint.ts";
import { parseEnvironmentFile } from "../../src/rules/settings/environment-file.ts";
import { describe as told } from "../../src/rules/shape/reading.ts";

/** What a settings file may hold. */
const long = 60_000;
/** Of processor time. Each took seconds when its pattern began again at every sign; now it takes a few milliseconds. */
const mostMs = 1000;

test.each<[string, () => unknown]>([
  ["a value of colons alone, told in a fault", () => told(":".repeat(long))],
  ["blanks inside a name of an environment file", () => parseEnvironmentFile(`A${" ".repeat(long)}B=c`)],
  ["blanks inside a plain value", () => readPlainYaml(`a: b${" ".repeat(long)}c`)],
  ["blanks inside an item", () => readPlainYaml(`- b${" ".repeat(long)}c`)],
  ["blanks inside a list on one line", () => readPlainYaml(`a: [b${" ".repeat(long)}c]`)],
  ["slashes inside an endpoint's path", () => readEndpoint(`https://proxy.example.com${"/".repeat(long)}a`)],
  ["colons behind a bracket that is never closed", () => parseNoProxy(`[${":".repeat(long)}`)],
])("%s take no longer for being many", (_, read) => {
  const before = process.threadCpuUsage();
  read();
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(mostMs);
});
