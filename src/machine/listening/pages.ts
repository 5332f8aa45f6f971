import type { RequestListener } from "node:http";

export type Page = { readonly status: number; readonly contentType: string; readonly body: string };

/** Pages for the administrator, on their own listener: liveness, readiness and metrics. */
export type Pages = {
  readonly metrics: () => string | Promise<string>;
  readonly readiness: () => Page | Promise<Page>;
};

const json = "application/json";
const healthy: Page = { status: 200, contentType: json, body: '{"healthy":true}\n' };
const nothing: Page = { status: 404, contentType: json, body: '{"error":"ask for /healthz, /readyz or /metrics"}\n' };
const notAllowed: Page = { status: 405, contentType: json, body: '{"error":"use GET or HEAD"}\n' };
const untold: Page = { status: 503, contentType: json, body: '{"error":"it cannot be told at present; the log says why"}\n' };

/** Answers with a page. A synchronous page cannot fail; the error of another goes to `failed`. */
export function answerPages(pages: Pages, failed: (thrown: unknown) => void = () => undefined): RequestListener {
  return (request, response) => {
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    const say = ({ status, contentType, body }: Page): void => {
      response.writeHead(status, {
        "content-type": contentType,
        "content-length": Buffer.byteLength(body),
        "cache-control": "no-store",
      });
      response.end(request.method === "HEAD" ? undefined : body);
    };
    const page = request.method === "GET" || request.method === "HEAD" ? pageAt(path, pages) : notAllowed;
    if (!(page instanceof Promise)) {
      say(page);
      return;
    }
    page.then(say, (thrown: unknown) => {
      failed(thrown);
      say(untold);
    });
  };
}

function pageAt(path: string, { metrics, readiness }: Pages): Page | Promise<Page> {
  switch (path) {
    case "/metrics": {
      const body = metrics();
      return body instanceof Promise ? body.then(exposed) : exposed(body);
    }
    case "/healthz":
      return healthy;
    case "/readyz":
      return readiness();
    default:
      return nothing;
  }
}

function exposed(body: string): Page {
  return { status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", body };
}

export function jsonPage(status: number, value: object): Page {
  return { status, contentType: json, body: `${JSON.stringify(value)}\n` };
}
