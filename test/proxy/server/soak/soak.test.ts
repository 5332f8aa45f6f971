import { describe, expect, test } from "vitest";
import { isInPath } from "../../../../packaging/tool.ts";
import { isFlat } from "../../../system/soak/rows.ts";
import { parseServed } from "./client.ts";
import { rowsOf } from "./figures.ts";
import { isWhole } from "../../../whole.ts";
import { soakServer } from "./soak.ts";

const printed = `Running 2s test @ http://127.0.0.1:1/
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.00ms    2.00ms  33.70ms   99.00%
  Latency Distribution
     50%    0.90ms
     99%  870.00us
  20000 requests in 2.00s, 4.00MB read
`;

describe("what wrk prints", () => {
  test.each([
    ["", 0],
    ["  Socket errors: connect 1, read 2, write 3, timeout 4\n  Non-2xx or 3xx responses: 7\n", 17],
  ])("is read, and with %j as %i answers lost", (errors, lost) => {
    expect(parseServed(`${printed}${errors}Requests/sec:  9999.50\n`)).toEqual({
      requests: 20_000,
      perSecond: 9999.5,
      p99Ms: 0.87,
      lost,
    });
  });

  test("is never taken for a success where it served nothing", () => {
    expect(() => parseServed("unable to connect to 127.0.0.1:1 Connection refused\n")).toThrow("unable to connect");
  });
});

test("a process that holds more and more is not flat; one that has settled is, and one that frees all at once", () => {
  const growing = Array.from({ length: 60 }, (_, second) => ({ kib: 100_000 + 1000 * second, files: 20 + second }));
  const settled = Array.from({ length: 60 }, (_, second) => ({ kib: Math.min(100_000, 60_000 + 10_000 * second), files: 20 }));
  const tidied = Array.from({ length: 60 }, (_, second) => ({ kib: 100_000 + 5000 * (second % 17), files: 20 }));
  expect(rowsOf(growing).map(isFlat)).toEqual([false, false]);
  expect(rowsOf(settled).map(isFlat)).toEqual([true, true]);
  expect(rowsOf(tidied).map(isFlat)).toEqual([true, true]);
});

const hasClient = isInPath("wrk");
if (!hasClient) console.warn("SKIPPED: the soak of svc-proxy: wrk is not installed");

test.runIf(hasClient && isWhole)("a svc-proxy under load reloads five times, and loses nothing", async () => {
  const { served, watched, reloads } = await soakServer(5);
  expect([served.lost, watched.wrong, reloads]).toEqual([0, [], { done: 5, refused: 0 }]);
  expect(served.requests).toBeGreaterThan(0);
});
