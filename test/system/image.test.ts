import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { userNumber } from "../../packaging/oci/base.ts";
import { architectures, nativeArchitecture, versionOf } from "../../packaging/project.ts";
import { firstTool } from "../../packaging/tool.ts";
import { scratchFolder } from "../machine/files/scratch.ts";
import { missingForImages, unpackedImage } from "../unpacked-image.ts";
import { mustRun } from "./lab/program.ts";

const missing = missingForImages();
if (missing !== undefined) console.warn(`SKIPPED: the images: ${missing}`);

const emulators = { amd64: ["qemu-x86_64", "qemu-x86_64-static"], arm64: ["qemu-aarch64", "qemu-aarch64-static"] } as const;

/** What no package brings. */
const generated = [
  "man/man8/svc-kube-updater.8.gz",
  "bash-completion/completions/svc-kube-updater",
  "svc-kube-updater/schemas/status.schema.json",
];

describe.skipIf(missing !== undefined).each(architectures)("the images for %s", (architecture) => {
  const folder = scratchFolder();

  test.each([
    ["svc", "svc"],
    ["svc", "tctl"],
    ["svc-kube-updater", "svc-kube-updater"],
  ] as const)("of %s run %s as their user", async (image, program) => {
    const root = await unpackedImage(image, { architecture, folder: `${folder}/${program}` });
    if (program === "svc-kube-updater") for (const path of generated) expect(existsSync(`${root}/usr/share/${path}`)).toBe(true);
    const inside = ["chroot", `--userspec=${userNumber}:${userNumber}`, root, `/usr/bin/${program}`];
    // With the libraries of the image: the emulator looks below it first.
    const emulator = firstTool(emulators[architecture], "install qemu-user");
    const argv = architecture === nativeArchitecture ? inside : [emulator, "-L", root, `${root}/usr/bin/${program}`];
    expect(await mustRun([...argv, "version"])).toContain(`${program} ${versionOf(image)}`);
  });
});
