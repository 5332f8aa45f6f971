import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { answerPages, jsonPage, type Pages } from "../../../src/machine/listening/pages.ts";

async function asked(pages: Pages, path: string, failed: (thrown: unknown) => void): Promise<readonly [number, string]> {
  const server = createServer(answerPages(pages, failed));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    return [response.status, await response.text()];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const now: Pages = { metrics: () => "a 1\n", readiness: () => jsonPage(200, { ready: true }) };
const later: Pages = { metrics: async () => "a 1\n", readiness: async () => jsonPage(200, { ready: true }) };

test.each([
  ["at once", now],
  ["later", later],
])("pages that are made %s are told", async (_when, pages) => {
  const failed = (thrown: unknown): void => expect(thrown).toBeUndefined();
  expect(await asked(pages, "/metrics", failed)).toEqual([200, "a 1\n"]);
  expect(await asked(pages, "/readyz", failed)).toEqual([200, '{"ready":true}\n']);
});

test("a page that could not be made is 503, and says nothing of why but to the log", async () => {
  const why: unknown[] = [];
  const broken = { ...later, metrics: () => Promise.reject(new Error("a secret path")) };
  const [status, text] = await asked(broken, "/metrics", (thrown) => why.push(thrown));
  expect([status, why]).toEqual([503, [new Error("a secret path")]]);
  expect(text).not.toContain("secret");
});
