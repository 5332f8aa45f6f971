import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { isInPath } from "../../../packaging/tool.ts";
import { freePort } from "../../machine/network/fixture/free-port.ts";
import { mustRun } from "../../system/lab/program.ts";
import { until } from "../../system/lab/until.ts";

/** Why no registry can be run here; undefined: nothing is in the way. */
export function missingForRegistry(): string | undefined {
  const absent = ["docker-registry", "skopeo"].filter((tool) => !isInPath(tool));
  return absent.length === 0 ? undefined : `${absent.join(" and ")} not installed (Debian's packages of the same names)`;
}

export type ServedRegistry = AsyncDisposable & {
  /** As images name it. */
  readonly host: string;
  /** Pushes an image for these platforms under a tag of the repository svc; gives its digest. */
  readonly push: (tag: string, platforms: readonly string[], form?: "index" | "image") => Promise<string>;
  readonly stop: () => Promise<void>;
};

const startMs = 15_000;

/** Debian's registry on loopback, which keeps what it has in that folder. `more`: of its configuration. */
export async function serveRegistry(
  folder: string = mkdtempSync(join(tmpdir(), "svc-registry-")),
  more: More = {},
): Promise<ServedRegistry> {
  const port = await freePort();
  const config = join(folder, `${port}.yml`);
  const { tls, password } = more;
  const creds = password === undefined ? [] : [`--dest-creds=user:${password}`];
  const auth = more.auth ?? (password === undefined ? undefined : htpasswdIn(folder));
  const whole = {
    version: "0.1",
    log: { level: "error", accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, "kept") } },
    http: { addr: `127.0.0.1:${port}`, ...(tls === undefined ? {} : { tls }) },
    ...(auth === undefined ? {} : { auth }),
  };
  writeFileSync(config, JSON.stringify(whole));
  const child = spawn("docker-registry", ["serve", config], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { OTEL_TRACES_EXPORTER: "none" },
  });
  const isOver = once(child, "close");
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const isUp = (): Promise<true | undefined> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(undefined));
      socket.once("connect", () => socket.destroy());
    });
  await until("the registry listens", startMs, isUp).catch((failure: unknown) => {
    child.kill("SIGKILL");
    throw new Error(`${String(failure)}:\n${said}`);
  });
  const host = `127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await isOver;
  };
  return {
    host,
    push: async (tag, platforms, form = "index") => {
      const layout = mkdtempSync(join(folder, "layout-"));
      // The lab's pods fare as their image says: one with "bad" in its digest would never be ready.
      let digest = "bad";
      for (let time = 0; digest.includes("bad"); time += 1) digest = writeLayout(layout, { tag, platforms, form, time });
      const argv = ["--insecure-policy", "copy", "--all", "--quiet", "--preserve-digests", "--dest-tls-verify=false"];
      await mustRun(["skopeo", ...argv, ...creds, `oci:${layout}:${tag}`, `docker://${host}/svc:${tag}`]);
      return digest;
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type More = {
  readonly tls?: { readonly certificate: string; readonly key: string };
  readonly auth?: object;
  readonly password?: "word";
};

/** Of the user "user" with the password "word", as its own programs hash it. */
export function htpasswdIn(folder: string): object {
  const path = join(folder, "htpasswd");
  writeFileSync(path, "user:$2b$04$Go8l5idn2p/l5g87n1.8/uBMJO/.uZBVzdY6SorYo/xTTHDrnu5ce\n");
  return { htpasswd: { realm: "there", path } };
}

type Layout = {
  readonly tag: string;
  readonly time: number;
  readonly platforms: readonly string[];
  readonly form: "index" | "image";
};
type Descriptor = { readonly mediaType: string; readonly digest: string; readonly size: number };

/** An OCI layout whose images hold nothing. */
function writeLayout(folder: string, { tag, platforms, form, time }: Layout): string {
  const blobs = join(folder, "blobs/sha256");
  mkdirSync(blobs, { recursive: true });
  const blob = (mediaType: string, content: object | Buffer): Descriptor => {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
    const hash = createHash("sha256").update(bytes).digest("hex");
    writeFileSync(join(blobs, hash), bytes);
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  };
  const oci = "application/vnd.oci.image";
  const archive = Buffer.alloc(1024);
  const layer = blob(`${oci}.layer.v1.tar+gzip`, gzipSync(archive));
  const diff = `sha256:${createHash("sha256").update(archive).digest("hex")}`;
  const images = platforms.map((name) => {
    const [os, architecture] = name.split("/");
    const platform = { os, architecture };
    // Each version is another image.
    const config = blob(`${oci}.config.v1+json`, {
      ...platform,
      config: { Labels: { tag, time: String(time) } },
      rootfs: { type: "layers", diff_ids: [diff] },
    });
    const manifest = { schemaVersion: 2, mediaType: `${oci}.manifest.v1+json`, config, layers: [layer] };
    return { ...blob(`${oci}.manifest.v1+json`, manifest), platform };
  });
  const index = { schemaVersion: 2, mediaType: `${oci}.index.v1+json`, manifests: images };
  const named = form === "index" ? blob(`${oci}.index.v1+json`, index) : images[0]!;
  writeFileSync(join(folder, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
  const annotations = { "org.opencontainers.image.ref.name": tag };
  const top = { schemaVersion: 2, manifests: [{ ...named, annotations }] };
  writeFileSync(join(folder, "index.json"), JSON.stringify(top));
  return named.digest;
}
