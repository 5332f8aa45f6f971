import { existsSync } from "node:fs";
import { nativeArchitecture, type Architecture } from "./project.ts";
import { firstTool } from "./tool.ts";

type Foreign = {
  readonly emulators: readonly [string, ...string[]];
  /** The folder with the three libraries that our executables need, from Debian's packages for cross compilers. */
  readonly libraries: string;
  readonly packages: string;
};

const foreign: Readonly<Record<Architecture, Foreign>> = {
  amd64: {
    emulators: ["qemu-x86_64", "qemu-x86_64-static"],
    libraries: "/usr/x86_64-linux-gnu",
    packages: "qemu-user libc6-amd64-cross libstdc++6-amd64-cross libgcc-s1-amd64-cross",
  },
  arm64: {
    emulators: ["qemu-aarch64", "qemu-aarch64-static"],
    libraries: "/usr/aarch64-linux-gnu",
    packages: "qemu-user libc6-arm64-cross libstdc++6-arm64-cross libgcc-s1-arm64-cross",
  },
};

/**
 * The beginning of a command line that runs a program of this architecture here: nothing, or an emulator. Changes nothing on the machine, because the
 * emulator is called by its name, without the kernel's help, and only this process sees the libraries. (The emulator's own option for libraries would
 * also redirect every opened file.) Such a process cannot replace itself with another program of its architecture.
 */
export function emulation(architecture: Architecture): readonly string[] {
  if (architecture === nativeArchitecture) return [];
  const { emulators, libraries, packages } = foreign[architecture];
  const hint = `install it (Debian, Ubuntu: apt-get install --no-install-recommends ${packages}), or name ${nativeArchitecture} alone`;
  const emulator = firstTool(emulators, `programs for ${architecture} are run once while they are built: ${hint}`);
  if (!existsSync(`${libraries}/lib/libstdc++.so.6`))
    throw new Error(`${libraries} has no libraries for ${architecture}: ${hint}`);
  const beside = 'mount -t overlay overlay -o lowerdir="$0:/usr/lib" /usr/lib && exec "$@"';
  const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  return ["unshare", "--mount", ...asRoot, "sh", "-c", beside, `${libraries}/lib`, emulator];
}
