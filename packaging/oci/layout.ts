import { createHash } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildDate, type Architecture } from "../project.ts";
import { packedTree } from "../packed-tree.ts";
import { userNumber } from "./base.ts";

/** The trees of an image's layers, the lowest first. */
export type Layers = { readonly architecture: Architecture; readonly trees: readonly string[] };

export type Image = {
  readonly version: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly layers: readonly Layers[];
};

type Descriptor = {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: Architecture; readonly os: "linux" };
  readonly annotations?: Readonly<Record<string, string>>;
};

const mediaType = (name: string): string => `application/vnd.oci.image.${name}`;

/** Writes an OCI layout: one index of all architectures under the version's name, for any tool that copies images. */
export function writeLayout(folder: string, image: Image): void {
  const half = `${folder}.half`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(join(half, "blobs/sha256"), { recursive: true });
  const blob = (type: string, bytes: Buffer): Descriptor => {
    const digest = sha256(bytes);
    writeFileSync(join(half, "blobs/sha256", digest), bytes);
    return { mediaType: mediaType(type), digest: `sha256:${digest}`, size: bytes.length };
  };
  const manifests = image.layers.map((layers) => manifestOf(layers, { image, blob }));
  const index = blob("index.v1+json", json({ schemaVersion: 2, mediaType: mediaType("index.v1+json"), manifests }));
  const named = { ...index, annotations: { "org.opencontainers.image.ref.name": image.version } };
  writeFileSync(join(half, "oci-layout"), json({ imageLayoutVersion: "1.0.0" }));
  writeFileSync(join(half, "index.json"), json({ schemaVersion: 2, mediaType: mediaType("index.v1+json"), manifests: [named] }));
  rmSync(folder, { recursive: true, force: true });
  renameSync(half, folder);
}

type Writing = { readonly image: Image; readonly blob: (type: string, bytes: Buffer) => Descriptor };

/** Gives malloc one arena. A program with one thread needs no more, and each arena keeps freed memory (`npm run bench:kube`). */
export const imageEnvironment: Readonly<Record<string, string>> = { PATH: "/usr/bin", MALLOC_ARENA_MAX: "1" };

function manifestOf({ architecture, trees }: Layers, { image, blob }: Writing): Descriptor {
  const tars = trees.map((tree) => packedTree(tree));
  const created = new Date(buildDate() * 1000).toISOString();
  const config = blob(
    "config.v1+json",
    json({
      created,
      architecture,
      os: "linux",
      config: {
        User: `${userNumber}:${userNumber}`,
        Env: Object.entries(imageEnvironment).map(([name, value]) => `${name}=${value}`),
        Entrypoint: image.entrypoint,
        WorkingDir: "/",
        Labels: image.labels,
      },
      rootfs: { type: "layers", diff_ids: tars.map((tar) => `sha256:${sha256(tar)}`) },
      history: tars.map(() => ({ created, created_by: "npm run image" })),
    }),
  );
  const layers = tars.map((tar) => blob("layer.v1.tar+gzip", gzipSync(tar, { level: 6 })));
  const manifest = blob("manifest.v1+json", json({ schemaVersion: 2, mediaType: mediaType("manifest.v1+json"), config, layers }));
  return { ...manifest, platform: { architecture, os: "linux" } };
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
