import { parseImage } from "../objects/image.ts";

/** Where a registry keeps an image. */
export type ImagePlace = {
  /** The name in credentials: HOST or HOST:PORT. */
  readonly registry: string;
  /** HOST or HOST:PORT of its API. */
  readonly api: string;
  readonly repository: string;
  /** The tag, or the digest if the image names one: then only the digest decides what runs. */
  readonly reference: string;
  readonly digest: string | undefined;
};

export const dockerHub = "docker.io";

/** Reads an image as container runtimes do. Undefined if the text is no image, or has neither tag nor digest. */
export function placeOf(image: string): ImagePlace | undefined {
  const parsed = parseImage(image);
  if (parsed === undefined) return undefined;
  const [, digest] = image.split("@");
  const reference = digest ?? parsed.tag;
  if (reference === undefined) return undefined;
  const [first = "", ...rest] = parsed.repository.split("/");
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  const [registry, path] = isHost ? [first, rest.join("/")] : [dockerHub, parsed.repository];
  if (registry !== dockerHub && registry !== "index.docker.io") {
    return { registry, api: registry, repository: path, reference, digest };
  }
  const repository = path.includes("/") ? path : `library/${path}`;
  return { registry: dockerHub, api: "registry-1.docker.io", repository, reference, digest };
}
