import { createHash } from "node:crypto";
import type { ExchangedWithHeaders as Exchanged } from "../../machine/network/exchange.ts";
import { Conversation, RegistryFailed, textOf, unknown, type Failure, type RegistryPorts } from "./conversation.ts";
import { placeOf, type ImagePlace } from "./image-place.ts";
import { isDigest, manifestTypes, platformIn, readManifest, type Manifest } from "./manifest.ts";

/** What a registry says about an image. */
export type Kept =
  | { readonly kind: "there"; readonly digest: string; readonly platforms: readonly string[] }
  | { readonly kind: "not-there" }
  /** The content does not match the digest. */
  | { readonly kind: "lies"; readonly why: string }
  | Failure;

/** The limit that distribution itself has for a manifest. */
const longestManifestBytes: number = 4 * 1024 * 1024;
const manifests = manifestTypes.join(", ");
const anything = "application/octet-stream, */*";

/** Answers by digest, which never change. The oldest are dropped. */
const mostKnown = 32;

/** Asks a registry about images. Returns a failure as an answer, too. */
export class Registry {
  readonly #ports: RegistryPorts;
  readonly #platforms = new Map<string, readonly string[]>();

  constructor(ports: RegistryPorts) {
    this.#ports = ports;
  }

  async look(image: string): Promise<Kept> {
    const place = placeOf(image);
    if (place === undefined || (place.digest !== undefined && !isDigest(place.digest)))
      return { kind: "unknown", why: `${image} names no image that a registry could be asked for` };
    try {
      return await this.#lookAt(place);
    } catch (thrown) {
      if (thrown instanceof Lies) return { kind: "lies", why: thrown.message };
      if (thrown instanceof RegistryFailed) return thrown.failure;
      throw thrown;
    }
  }

  async #lookAt(place: ImagePlace): Promise<Kept> {
    const conversation = new Conversation(place, this.#ports);
    const digest = place.digest ?? (await digestOf(place, conversation));
    if (digest === undefined) return { kind: "not-there" };
    const known = this.#platforms.get(digest);
    if (known !== undefined && place.digest === undefined) return { kind: "there", digest, platforms: known };
    const answer = await bytesOf({ path: `manifests/${digest}`, accept: manifests, digest }, conversation);
    if (answer === undefined) return { kind: "not-there" };
    const manifest = readManifest(textOf(answer), answer.contentType);
    const platforms = await platformsOf(manifest, conversation);
    this.#platforms.set(digest, platforms);
    for (const oldest of [...this.#platforms.keys()].slice(0, -mostKnown)) this.#platforms.delete(oldest);
    return { kind: "there", digest, platforms };
  }
}

/** Thrown and caught only in this file. */
class Lies extends Error {}

/** A tag's digest; undefined if it does not exist. */
async function digestOf({ registry, reference }: ImagePlace, conversation: Conversation): Promise<string | undefined> {
  const path = `manifests/${reference}`;
  const head = await conversation.ask({ path, method: "HEAD", accept: manifests, longestBody: 0 });
  if (head.status === 404) return undefined;
  const told = head.headers["docker-content-digest"];
  if (typeof told === "string") {
    if (isDigest(told)) return told;
    throw unknown(`${registry} names no digest of a kind that is known here`);
  }
  // Reads the whole manifest and computes its digest, because some registries do not name it.
  const whole = await conversation.ask({ path, accept: manifests, longestBody: longestManifestBytes });
  if (whole.status === 404) return undefined;
  if (whole.body.kind !== "whole") throw unknown(`${registry} sends a manifest that is not whole`);
  return `sha256:${createHash("sha256").update(whole.body.bytes).digest("hex")}`;
}

type Wanted = { readonly path: string; readonly accept: string; readonly digest: string };

/** The content of a digest, which is checked against it; undefined if it does not exist. */
async function bytesOf({ path, accept, digest }: Wanted, conversation: Conversation): Promise<Exchanged | undefined> {
  const answer = await conversation.ask({ path, accept, longestBody: longestManifestBytes });
  if (answer.status === 404) return undefined;
  if (answer.body.kind !== "whole") throw unknown(`what the registry sends for ${digest} is not whole`);
  const [algorithm = ""] = digest.split(":");
  const found = `${algorithm}:${createHash(algorithm).update(answer.body.bytes).digest("hex")}`;
  if (found !== digest) throw new Lies(`the registry's answer for ${digest} has the digest ${found}`);
  return answer;
}

async function platformsOf(manifest: Manifest, conversation: Conversation): Promise<readonly string[]> {
  if (manifest.kind === "index") return manifest.platforms;
  if (manifest.kind === "unknown") throw unknown(manifest.why);
  const digest = manifest.config;
  const config = await bytesOf({ path: `blobs/${digest}`, accept: anything, digest }, conversation);
  const platform = config && platformIn(textOf(config));
  if (platform === undefined) throw unknown("the configuration of the image cannot be read");
  return [platform];
}
