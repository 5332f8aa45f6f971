import type { RequestListener } from "node:http";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import { answerPages, jsonPage, type Page } from "../../machine/listening/pages.ts";
import type { Live } from "./running-server.ts";
import { exposition } from "./exposition.ts";

/** The administrator's pages, on their own listener. */
export function diagnosticsFor(live: Live): RequestListener {
  return answerPages({ metrics: () => exposition(live), readiness: () => readiness(live) });
}

/** Ready once auth has sent its words, and each upstream has answered or failed once. After that a failing upstream does not make it unready. */
function readiness(live: Live): Page {
  const { serving, upstreams } = live;
  live.askedReadyMs = monotonicMs();
  const rows = [...upstreams].map(([name, upstream]) => {
    const { answer, failures } = upstream;
    return [name, failures > 0 ? (answer === undefined ? "failing" : "stale") : answer === undefined ? "waiting" : "fresh"];
  });
  const isWaiting = serving.answers.isWaiting();
  const ready = serving.mood === "open" && !isWaiting && rows.every(([, state]) => state !== "waiting");
  return jsonPage(ready ? 200 : 503, {
    ready,
    mood: serving.mood,
    digest: serving.answers.digest,
    ...(isWaiting ? { waits: "for the cluster's auth service" } : {}),
    upstreams: Object.fromEntries(rows),
  });
}
