import type { RequestListener } from "node:http";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import { answerPages, jsonPage, type Page } from "../../machine/listening/pages.ts";
import type { Live } from "./running-server.ts";
import { exposition } from "./exposition.ts";

/** For whoever runs it, on a listener of its own. */
export function diagnosticsFor(live: Live): RequestListener {
  return answerPages({ metrics: () => exposition(live), readiness: () => readiness(live) });
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
  return jsonPage(ready ? 200 : 503, {
    ready,
    mood: serving.mood,
    digest: serving.answers.digest,
    upstreams: Object.fromEntries(rows),
  });
}
