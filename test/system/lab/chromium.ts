import { spawn } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "./until.ts";

/** Debian's browser, driven as its DevTools drive it: https://chromedevtools.github.io/devtools-protocol. */

/** A cold start on a busy machine. */
const longestStartMs = 60_000;
/** A page of the lab is there at once; some come over several hosts. */
const longestPageMs = 60_000;

export type Tab = {
  readonly open: (url: string) => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Waits until the page has the words, and gives all of its text. */
  readonly shows: (words: string) => Promise<string>;
  readonly type: (field: string, text: string) => Promise<void>;
  readonly press: (button: string) => Promise<void>;
  readonly address: () => Promise<string>;
  readonly screenshot: (file: string) => Promise<void>;
};

export type Chromium = AsyncDisposable & {
  /** With no cookie yet. */
  readonly tab: () => Promise<Tab>;
};

export type ChromiumOptions = {
  /** An empty directory. */
  readonly profile: string;
  /** The addresses of names; it knows no others. */
  readonly names: Readonly<Record<string, string>>;
  /** The certificates that it takes though it knows no authority of them. */
  readonly certificates: readonly string[];
};

export async function startChromium({ profile, names, certificates }: ChromiumOptions): Promise<Chromium> {
  const rules = [...Object.entries(names).map(([name, address]) => `MAP ${name} ${address}`), "MAP * ~NOTFOUND"];
  const argv = [
    "--headless",
    // As root there is no sandbox to be had.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
    "--no-proxy-server",
    `--user-data-dir=${profile}`,
    `--host-resolver-rules=${rules.join(",")}`,
    `--ignore-certificate-errors-spki-list=${certificates.map(keyDigest).join(",")}`,
    "--remote-debugging-port=0",
    "about:blank",
  ];
  const env = { PATH: "/usr/bin:/bin", HOME: profile, LANG: "C.UTF-8" };
  // It starts many processes: with the namespace's first they all end.
  const child = spawn("unshare", ["--pid", "--fork", "--kill-child", "--mount-proc", "chromium", ...argv], {
    env,
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  try {
    const at = await until("chromium to listen", longestStartMs, async () => {
      if (child.exitCode !== null) throw new Error(`chromium ended with ${child.exitCode}`);
      const text = await readFile(join(profile, "DevToolsActivePort"), "utf8").catch(() => "");
      return /^(\d+)\n(\/\S+)$/.exec(text) ?? undefined;
    });
    const call = await connected(`ws://127.0.0.1:${at[1]}${at[2]}`);
    return { tab: () => newTab(call), [Symbol.asyncDispose]: end };
  } catch (failure) {
    await end();
    throw failure;
  }
}

function keyDigest(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("base64");
}

type Answer = Readonly<Record<string, unknown>>;
type Call = (method: string, params: object, sessionId?: string) => Promise<Answer>;
type Message = { readonly id?: number; readonly result?: Answer; readonly error?: { readonly message: string } };

async function connected(url: string): Promise<Call> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (message: Message) => void>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    waiting.get(message.id ?? 0)?.(message);
  });
  socket.addEventListener("close", () => {
    for (const answer of waiting.values()) answer({ error: { message: "it has ended" } });
  });
  await once(socket, "open");
  let last = 0;
  return async (method, params, sessionId) => {
    if (socket.readyState !== WebSocket.OPEN) throw new Error(`chromium: ${method}: it has ended`);
    const id = (last += 1);
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params, sessionId }));
    const { result, error } = await answered;
    waiting.delete(id);
    if (result === undefined) throw new Error(`chromium: ${method}: ${error?.message}`);
    return result;
  };
}

async function newTab(browser: Call): Promise<Tab> {
  const { browserContextId } = await browser("Target.createBrowserContext", {});
  const { targetId } = await browser("Target.createTarget", { url: "about:blank", browserContextId, width: 900, height: 700 });
  const { sessionId } = await browser("Target.attachToTarget", { targetId, flatten: true });
  const call = (method: string, params: object = {}): Promise<Answer> => browser(method, params, String(sessionId));

  async function evaluate(expression: string): Promise<unknown> {
    const { result } = await call("Runtime.evaluate", { expression, returnByValue: true });
    return (result as { readonly value?: unknown }).value;
  }

  /** Between two pages there is nothing to ask. */
  function waitFor<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
    return until(what, longestPageMs, () => look().catch(() => undefined));
  }

  async function click(selector: string, text = ""): Promise<void> {
    const found = `[...document.querySelectorAll(${JSON.stringify(selector)})].find((each) => each.textContent === ${JSON.stringify(text)})`;
    const box = `(({ x, y, width, height }) => [x + width / 2, y + height / 2])(${found}.getBoundingClientRect())`;
    const [x, y] = await waitFor(`${selector} ${text}`, async () => (await evaluate(box)) as [number, number] | undefined);
    for (const type of ["mousePressed", "mouseReleased"])
      await call("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
  }

  return {
    open: async (url) => void (await call("Page.navigate", { url })),
    reload: async () => void (await call("Page.reload")),
    shows: async (words) => {
      let text: unknown;
      return waitFor(`the page to show ${words}`, async () => {
        text = await evaluate("document.body.innerText");
        return typeof text === "string" && text.includes(words) ? text : undefined;
      }).catch((cause: unknown) => {
        throw new Error(`the page shows:\n${String(text)}`, { cause });
      });
    },
    type: async (field, text) => {
      await click(`input[name=${field}]`);
      await call("Input.insertText", { text });
    },
    press: (button) => click("button", button),
    address: async () => String(await evaluate("location.href")),
    screenshot: async (file) => {
      const { data } = await call("Page.captureScreenshot", { format: "png" });
      await writeFile(file, Buffer.from(String(data), "base64"));
    },
  };
}
