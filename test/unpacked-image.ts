import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { distFolder, nativeArchitecture, versionOf, type Architecture, type ProgramName } from "../packaging/project.ts";
import { isInPath } from "../packaging/tool.ts";
import { mustRun } from "./system/lab/program.ts";

/** Why no image can be tried here; undefined: nothing is in the way. */
export function missingForImages(): string | undefined {
  if (process.getuid?.() !== 0) return "an image's program can be run as another user by root alone";
  const absent = ["skopeo", "umoci"].filter((tool) => !isInPath(tool));
  return absent.length === 0 ? undefined : `${absent.join(" and ")} not installed (Debian's packages of the same names)`;
}

type Asked = { readonly architecture?: Architecture; readonly folder: string };

/** An image that `npm run image` left, as other programs than ours copy and unpack it; gives the root. */
export async function unpackedImage(program: ProgramName, { architecture = nativeArchitecture, folder }: Asked): Promise<string> {
  const layout = join(distFolder, `image-${program}`);
  if (!existsSync(layout)) throw new Error(`${layout} is missing: run \`npm run image\` first`);
  mkdirSync(folder, { recursive: true });
  const place = join(folder, `${program}-${architecture}`);
  const [whole, one] = [`${layout}:${versionOf(program)}`, `${place}.layout:one`];
  await mustRun([
    "skopeo",
    "--insecure-policy",
    `--override-arch=${architecture}`,
    "copy",
    "--quiet",
    `oci:${whole}`,
    `oci:${one}`,
  ]);
  await mustRun(["umoci", "unpack", "--image", one, place]);
  return join(place, "rootfs");
}
