import type { RequestListener } from "node:http";
import { monotonicMs } from "../host/monotonic.ts";
import type { Live } from "./live.ts";
import { exposition } from "./exposition.ts";

/** For whoever runs it, on a listener of its own: whether it lives, whether it should be sent requests, what it counts. */
export function diagnosticsFor(live: Live): RequestListener {
  return (request, response) => {
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    const page =
      path === "/metrics" ? metrics(live) : path === "/healthz" ? healthy : path === "/readyz" ? readiness(live) : nothing;
    const { status, contentType, body } = request.method === "GET" || request.method === "HEAD" ? page : notAllowed;
    response.writeHead(status, {
      "content-type": contentType,
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
    });
    response.end(request.method === "HEAD" ? undefined : body);
  };
}

type Page = { readonly status: number; readonly contentType: string; readonly body: string };

const json = "application/json";
const healthy: Page = { status: 200, contentType: json, body: '{"healthy":true}\n' };
const nothing: Page = { status: 404, contentType: json, body: '{"error":"ask for /healthz, /readyz or /metrics"}\n' };
const notAllowed: Page = { status: 405, contentType: json, body: '{"error":"use GET or HEAD"}\n' };

function metrics(live: Live): Page {
  return { status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", body: exposition(live) };
}

/** Ready once each upstream was heard or has failed once. One that is down takes no instance away from the other channels. */
function readiness(live: Live): Page {
  const { serving, upstreams } = live;
  live.askedReadyMs = monotonicMs();
  const rows = [...upstreams].map(([name, upstream]) => {
    const { answer, failures } = upstream;
    return [name, failures > 0 ? (answer === undefined ? "failing" : "stale") : answer === undefined ? "waiting" : "fresh"];
  });
  const ready = serving.mood === "open" && rows.every(([, state]) => state !== "waiting");
  const body = { ready, mood: serving.mood, digest: serving.answers.digest, upstreams: Object.fromEntries(rows) };
  return { status: ready ? 200 : 503, contentType: json, body: `${JSON.stringify(body)}\n` };
}
