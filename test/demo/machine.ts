import { execa } from "execa";

const needed = ["apt-get", "dpkg", "dpkg-deb", "tar"] as const;

/** One sentence on what the machine lacks for the demo, or nothing. */
export async function whatIsMissing(): Promise<string | undefined> {
  const results = await Promise.all(needed.map((name) => execa(name, ["--version"], { reject: false, timeout: 20_000 })));
  const absent = needed.filter((_name, index) => results[index]?.failed === true);
  if (absent.length > 0) return `it needs ${absent.join(", ")}, as Debian and Ubuntu have them.`;
  if (process.getuid?.() === 0) return undefined;
  const namespace = await execa("unshare", ["--map-root-user", "true"], { reject: false, timeout: 20_000 });
  return namespace.failed ? "it needs root, or a machine that allows user namespaces (unshare --map-root-user)." : undefined;
}

/** The same program as root of a user namespace: dpkg wants to own what it unpacks. */
export async function enterUserNamespace(script: readonly string[]): Promise<number> {
  const { exitCode } = await execa("unshare", ["--map-root-user", process.execPath, ...script], {
    reject: false,
    stdio: "inherit",
    timeout: 600_000,
  });
  return exitCode ?? 70;
}
