import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import type { Response } from "../../../src/machine/network/request.ts";
import { retrying, type RetryPorts } from "../../../src/machine/network/retry.ts";
import { direct } from "./fixture/ports.ts";

type Result = { readonly status: number; readonly retryAfter?: string } | { readonly code: FaultCode };

function rig(
  results: readonly Result[],
  random = 0,
): { readonly attempt: () => Promise<Response>; readonly ports: RetryPorts; readonly waits: number[] } {
  const waits: number[] = [];
  let clock = 0;
  let tried = 0;
  const attempt = async (): Promise<Response> => {
    const result = results[Math.min(tried, results.length - 1)];
    tried += 1;
    if (result === undefined) throw new Error("the table has a row without results");
    if ("code" in result) throw new Fault(result.code, { message: `${result.code} ${tried}`, hint: "" });
    const body = { kind: "whole", bytes: new Uint8Array() } as const;
    return {
      status: result.status,
      body,
      contentType: undefined,
      retryAfter: result.retryAfter,
      date: undefined,
      url: new URL("http://h/"),
      route: direct,
    };
  };
  const ports: RetryPorts = {
    monotonicMs: () => clock,
    random: () => random,
    wait: async (ms) => {
      waits.push(ms);
      clock += ms;
    },
    onRetry: () => undefined,
  };
  return { attempt, ports, waits };
}

describe("retrying", () => {
  it.each<{
    readonly title: string;
    readonly results: readonly Result[];
    readonly waits: number[];
    readonly ends: number | FaultCode;
  }>([
    { title: "takes the first good answer", results: [{ status: 200 }], waits: [], ends: 200 },
    {
      title: "takes a later good answer",
      results: [{ status: 500 }, { code: "channel-unreachable" }, { status: 200 }],
      waits: [1000, 2000],
      ends: 200,
    },
    {
      title: "gives up after three",
      results: [{ status: 500 }, { status: 502 }, { status: 503 }, { status: 200 }],
      waits: [1000, 2000],
      ends: 503,
    },
    {
      title: "throws the last fault",
      results: [{ status: 500 }, { status: 500 }, { code: "proxy-unreachable" }],
      waits: [1000, 2000],
      ends: "proxy-unreachable",
    },
    {
      title: "waits as long as it is told",
      results: [{ status: 429, retryAfter: "7" }, { status: 200 }],
      waits: [8000],
      ends: 200,
    },
    {
      title: "waits its own time where it is told none",
      results: [{ status: 429, retryAfter: "0" }, { status: 200 }],
      waits: [1000],
      ends: 200,
    },
    {
      title: "does not begin a wait beyond the deadline",
      results: [{ status: 429, retryAfter: "3600" }, { status: 200 }],
      waits: [],
      ends: 429,
    },
    { title: "leaves 404 alone", results: [{ status: 404 }, { status: 200 }], waits: [], ends: 404 },
    { title: "leaves a wrong answer alone", results: [{ code: "answer-invalid" }], waits: [], ends: "answer-invalid" },
    { title: "stops when it is told to stop", results: [{ code: "stopping" }], waits: [], ends: "stopping" },
  ])("$title", async ({ results, waits, ends }) => {
    const { attempt, ports, waits: waited } = rig(results);
    const ended = await retrying(attempt, 60_000, ports).then(
      (response) => response.status,
      (fault: Fault) => fault.code,
    );
    expect(ended).toBe(ends);
    expect(waited).toEqual(waits);
  });

  it("shortens its waits by chance, and never below half", async () => {
    const { attempt, ports, waits } = rig([{ status: 500 }], 0.999_999);
    await retrying(attempt, 60_000, ports);
    expect(waits).toEqual([500, 1000]);
  });

  it("does not try again after a wait that was broken off", async () => {
    const { attempt, ports, waits } = rig([{ status: 500 }, { status: 200 }]);
    const stopping = new AbortController();
    const wait: RetryPorts["wait"] = async (ms, signal) => {
      stopping.abort();
      await ports.wait(ms, signal);
    };
    expect((await retrying(attempt, 60_000, { ...ports, wait, signal: stopping.signal })).status).toBe(500);
    expect(waits).toEqual([1000]);
  });

  it("throws what is no fault at once", async () => {
    const { ports, waits } = rig([]);
    await expect(retrying(() => Promise.reject(new TypeError("a bug")), 60_000, ports)).rejects.toThrow("a bug");
    expect(waits).toEqual([]);
  });
});
