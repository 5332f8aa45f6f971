import { refreshLists } from "../lab/package-tools.ts";
import { serveRepository } from "../lab/repository.ts";
import type { Manners } from "./family.ts";
import { rpm } from "./rpm.ts";

export const zypper: Manners = {
  ...rpm,
  prefer: async ({ host }, { file }) => {
    const preferred = await serveRepository(host, "preferred", { priority: 10 });
    await preferred.publish(file);
    await refreshLists(host);
  },
  unprefer: async (host) => void (await host.mustRun(["rm", "/etc/zypp/repos.d/preferred.repo"])),
  deadSource: {
    path: "/etc/zypp/repos.d/never.repo",
    text: "[never]\nname=Never there\nbaseurl=http://127.0.0.1:9/never\nenabled=1\nautorefresh=1\n",
  },
  refreshByHand: { argv: ["zypper", "--non-interactive", "refresh"], status: 4 },
  untrustedLists: { step: "refresh", code: "package-untrusted", status: 69 },
  checkPackages: async (host, repository) =>
    // Else zypper takes a good signature of the lists for one of every package.
    void (await host.mustRun(["sh", "-c", `echo pkg_gpgcheck=1 >>${repository.sourcesFile}`])),
  wouldRemove: "deinstallation of companion-1.0-1",
  // The lock names no version.
  heldAt: () => /\| svc-ent +\|/,
  unhold: async (host) => void (await host.mustRun(["zypper", "--non-interactive", "removelock", "svc-ent"])),
  german: { argv: ["zypper", "--non-interactive", "install", "no-such-package"], says: "nicht gefunden" },
  ownProxy: (host, url) => host.write("/etc/sysconfig/proxy", `PROXY_ENABLED="yes"\nHTTP_PROXY="${url}"\nHTTPS_PROXY="${url}"\n`),
};
