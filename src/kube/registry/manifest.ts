import { decode } from "../../rules/shape/read.ts";
import { listOf, maybe, record, text } from "../../rules/shape/shape.ts";

/** A manifest's platforms, as `linux/arm64`; a single image's configuration names its platform. */
export type Manifest =
  | { readonly kind: "index"; readonly platforms: readonly string[] }
  | { readonly kind: "image"; readonly config: string }
  | { readonly kind: "unknown"; readonly why: string };

const indexes = ["application/vnd.oci.image.index.v1+json", "application/vnd.docker.distribution.manifest.list.v2+json"];
const images = ["application/vnd.oci.image.manifest.v1+json", "application/vnd.docker.distribution.manifest.v2+json"];

export const manifestTypes: readonly string[] = [...indexes, ...images];

const named = text(128);
const platform = record({ os: named, architecture: named, variant: maybe(named) });
const index = record({ manifests: listOf(record({ platform: maybe(platform) }), 1000) });
const image = record({ config: record({ digest: named }) });
const configuration = record({ os: named, architecture: named, variant: maybe(named) });

/** Only the media type decides how a manifest is read. */
export function readManifest(body: string, contentType: string | undefined): Manifest {
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (indexes.includes(type)) {
    const reading = decode(body, index, "ignored");
    if (reading.kind === "unreadable") return { kind: "unknown", why: `its index cannot be read: ${reading.why}` };
    const found = reading.value.manifests.flatMap((entry) => (entry.platform === undefined ? [] : [print(entry.platform)]));
    // Leaves out signatures and the like, which builders add for no platform.
    return { kind: "index", platforms: [...new Set(found)].filter((one) => one !== "unknown/unknown").toSorted() };
  }
  if (!images.includes(type)) return { kind: "unknown", why: "its manifest is of a type that is not known here" };
  const reading = decode(body, image, "ignored");
  if (reading.kind === "read" && isDigest(reading.value.config.digest)) {
    return { kind: "image", config: reading.value.config.digest };
  }
  return { kind: "unknown", why: "its manifest cannot be read" };
}

export function isDigest(found: string): boolean {
  return /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/.test(found);
}

export function platformIn(config: string): string | undefined {
  const reading = decode(config, configuration, "ignored");
  return reading.kind === "read" ? print(reading.value) : undefined;
}

type Platform = { readonly os: string; readonly architecture: string; readonly variant?: string | undefined };

function print({ os, architecture, variant }: Platform): string {
  // Leaves out v8, because every arm64 is v8.
  const isPlain = variant === undefined || variant === "" || (architecture === "arm64" && variant === "v8");
  return `${os}/${architecture}${isPlain ? "" : `/${variant}`}`;
}
