import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { loadTrust } from "../../../src/machine/network/trust.ts";
import { routeFor } from "../../../src/rules/route/route.ts";
import { startReachable, type ProxyAddress } from "../session/relay.ts";
import { said, type Said } from "../tsh/running.ts";
import { addressIn } from "./administer.ts";
import { browserTrusting, type Browser, type Shown } from "./browser.ts";

/** What a person does in the browser, and the code that they read there. */
type Browsing = (url: string) => Promise<string>;

export type SignInScene = AsyncDisposable &
  ProxyAddress & {
    readonly home: string;
    readonly callback: (path: string) => string;
    /** From now on auth and browsers trust the provider whose authority this is. */
    readonly trust: (caFile: string) => void;
    /** The redirect to `stopBefore` waits until that address is opened. */
    readonly browser: (stopBefore?: string) => Browser;
    readonly login: (auth: string, browsing: Browsing, home?: string) => Promise<Said>;
    readonly upsert: (resource: object) => Promise<unknown>;
  };

/** A code that no page shows. */
export const wrongCode = "BCDF-GHJK";

export function codeOn({ page }: Shown): string {
  return /<output>([A-Z]{4}-[A-Z]{4})<\/output>/.exec(page)?.[1] ?? wrongCode;
}

/** A cluster that people reach, and the home of one who signs in through a provider. */
export async function startSignInScene(now?: () => number): Promise<SignInScene> {
  let trusted: string | undefined;
  const ways = { routeOf: (url: URL) => routeFor(url, {}), trust: () => loadTrust(trusted) };
  const cluster = await startReachable({ ways, ...(now === undefined ? {} : { now }) });
  const own = mkdtempSync(join(tmpdir(), "home-"));
  return {
    ...cluster,
    home: own,
    callback: (path) => `https://${cluster.address}/v1/webapi/${path}`,
    trust: (caFile) => void (trusted = caFile),
    browser: (stopBefore) => browserTrusting([cluster.caFile, ...(trusted === undefined ? [] : [trusted])], stopBefore),
    login: (auth, browsing, home = own) =>
      said(["login", `--proxy=${cluster.address}`, `--auth=${auth}`, `--ca-file=${cluster.caFile}`, "--password-file=-"], {
        home,
        input: async function* (soFar) {
          let url: string | undefined;
          while (url === undefined) {
            await new Promise((resolve) => setTimeout(resolve, 20));
            url = addressIn(soFar());
          }
          yield `${await browsing(url)}\n`;
        },
      }),
    upsert: async (resource) => {
      const { status, body } = await cluster.people.ask("ResourceService/UpsertResource", { resource });
      expect(status).toBe(200);
      return body;
    },
    [Symbol.asyncDispose]: async () => {
      await cluster[Symbol.asyncDispose]();
      rmSync(own, { recursive: true, force: true });
    },
  };
}
