import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeRequest, encodeRequest, type ActRequest } from "../../../src/updater/act/request.ts";
import { packageVersion } from "../pass/given.ts";

const to = packageVersion("2:15.4.6-1");
const since = { monotonicUs: 5_000_000, realtimeMs: 1_800_000_000_000 };

const requests: { readonly [K in ActRequest["kind"]]: Extract<ActRequest, { readonly kind: K }> } = {
  begin: { kind: "begin", pass: "0b54d9d2-7e3f-4c57-9f9b-2f1f3f2b6f11", settings: "d".repeat(64) },
  refresh: { kind: "refresh" },
  "hold-again": { kind: "hold-again" },
  mend: { kind: "mend" },
  simulate: { kind: "simulate", to },
  bring: { kind: "bring", to },
  keep: { kind: "keep", version: packageVersion("15.4.5-1"), is: "installed", to },
  "keep-only": { kind: "keep-only", versions: [to] },
  install: { kind: "install", to, from: "kept", why: "window" },
  offers: { kind: "offers" },
  "build-of": { kind: "build-of", version: to },
  settle: { kind: "settle" },
  "going-down": { kind: "going-down" },
  restarts: { kind: "restarts" },
  condition: { kind: "condition", seen: { bootId: "b", restarts: 2, unhealthyPasses: 1 } },
  "await-transaction": { kind: "await-transaction", how: "until-stopped" },
  look: { kind: "look", seen: { bootId: "b", restarts: 2, unhealthyPasses: 1 } },
  activate: { kind: "activate", before: "unhealthy", since, begunBy: "another pass" },
  "prove-health": { kind: "prove-health", before: "stopped" },
  "last-lines": { kind: "last-lines", since },
  notify: { kind: "notify", event: "{}" },
  notified: { kind: "notified", ids: ["0".repeat(32)] },
};

describe("a request to the acting unit", () => {
  test.each(Object.values(requests))("$kind is read as it was written, in one line", (request) => {
    const line = encodeRequest(request);
    expect(line).not.toContain("\n");
    expect(decodeRequest(line)).toEqual({ kind: "read", value: request });
  });

  test.each([
    ["an option of a program in the place of a version", { ...requests.keep, version: "--allow-unauthenticated" }],
    ["a file that is kept for a move that goes nowhere", { ...requests.keep, to: undefined }],
    ["a file in the place of what is kept", { ...requests.install, from: "/tmp/evil.deb" }],
    ["a reason that there is not", { ...requests.install, why: "because" }],
    ["a third kept package", { ...requests["keep-only"], versions: [to, to, to] }],
    ["what nobody asks for", { kind: "run", argv: ["sh"] }],
  ])("is refused with %s", (_what, request) => {
    expect(decodeRequest(JSON.stringify(request))).toMatchObject({ kind: "unreadable" });
  });

  test("is read or refused whatever the line is, and nothing in it can name a package, a unit or a program", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        const reading = decodeRequest(line);
        if (reading.kind === "read") expect(Object.keys(requests)).toContain(reading.value.kind);
        else expect(reading.why).not.toBe("");
      }),
    );
    const overfull = {
      ...requests.install,
      name: "bash",
      unit: "x.service",
      argv: ["sh"],
      direction: "down",
      kept: { file: "x" },
    };
    expect(decodeRequest(JSON.stringify(overfull))).toEqual({ kind: "read", value: requests.install });
  });
});
