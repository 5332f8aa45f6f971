import { readFileSync } from "node:fs";
import { Agent, request } from "undici";

export type Shown = {
  readonly status: number;
  readonly url: string;
  readonly page: string;
  readonly headers: Readonly<Record<string, unknown>>;
};

export type Browser = {
  readonly open: (url: string) => Promise<Shown>;
  /** Submits the form of the page that is shown, to the address that it names. A form of another site brings only cookies that allow it. */
  readonly submit: (fields: Readonly<Record<string, string>>, to?: string) => Promise<Shown>;
  /** Every address that it came through, and the last. */
  readonly visited: string[];
};

/** Follows redirects and keeps cookies by origin, as a browser does; the redirect to `stopBefore` waits until that address is opened. */
export function browserTrusting(caFiles: readonly string[], stopBefore?: string): Browser {
  const dispatcher = new Agent({ connect: { ca: caFiles.map((file) => readFileSync(file, "utf8")) } });
  const jars = new Map<string, Map<string, { readonly value: string; readonly isForAll: boolean }>>();
  const visited: string[] = [];
  let page = "";

  async function go(start: string, form?: Readonly<Record<string, string>>): Promise<Shown> {
    let url = new URL(start);
    const from = visited.at(-1);
    const isCrossSite = form !== undefined && from !== undefined && new URL(from).origin !== url.origin;
    let body = form === undefined ? undefined : new URLSearchParams(form).toString();
    for (let hops = 0; hops < 20; hops += 1) {
      visited.push(url.href);
      const jar = jars.get(url.origin) ?? new Map<string, { readonly value: string; readonly isForAll: boolean }>();
      jars.set(url.origin, jar);
      const sent = [...jar].filter(([, { isForAll }]) => isForAll || !isCrossSite || body === undefined);
      const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join("; ");
      const answer = await request(url, {
        dispatcher,
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...(cookie === "" ? {} : { cookie }),
          ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
        },
        body: body ?? null,
      });
      for (const set of [answer.headers["set-cookie"] ?? []].flat()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (value === "" || /expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name);
        else jar.set(name, { value, isForAll: /SameSite=None; *Secure|Secure; *(?:HttpOnly; *)?SameSite=None/i.test(set) });
      }
      page = await answer.body.text();
      const { location } = answer.headers;
      if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== "string") {
        return { status: answer.statusCode, url: url.href, page, headers: answer.headers };
      }
      url = new URL(location, url);
      body = undefined;
      if (url.pathname === stopBefore) return { status: answer.statusCode, url: url.href, page, headers: answer.headers };
    }
    throw new Error("too many redirects");
  }

  return {
    open: (url) => go(url),
    submit: (fields, to) => {
      const action = to ?? /<form[^>]* action="([^"]*)"/.exec(page)?.[1] ?? "";
      return go(new URL(action, visited.at(-1)).href, fields);
    },
    visited,
  };
}
