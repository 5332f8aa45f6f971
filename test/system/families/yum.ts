import { refreshLists } from "../lab/package-tools.ts";
import { serveRepository } from "../lab/repository.ts";
import type { Manners } from "./family.ts";
import { rpm } from "./rpm.ts";

export const yum: Manners = {
  ...rpm,
  prefer: async ({ host }, { file }) => {
    const preferred = await serveRepository(host, "preferred", { priority: 10 });
    await preferred.publish(file);
    await refreshLists(host);
  },
  unprefer: async (host) => void (await host.mustRun(["rm", "/etc/yum.repos.d/preferred.repo"])),
  deadSource: {
    path: "/etc/yum.repos.d/never.repo",
    text: "[never]\nname=Never there\nbaseurl=http://127.0.0.1:9/never\nenabled=1\ngpgcheck=1\n",
  },
  refreshByHand: { argv: ["yum", "-y", "--refresh", "makecache"], status: 1 },
  untrustedLists: { step: "refresh", code: "refresh-failed", status: 75 },
  checkPackages: () => Promise.resolve(),
  wouldRemove: "would remove companion",
  heldAt: (packageVersion) => new RegExp(`^svc-ent-0:${packageVersion}\\.\\*\n$`),
  unhold: async (host) => void (await host.mustRun(["yum", "-q", "versionlock", "clear"])),
  german: { argv: ["dnf", "install", "no-such-package"], says: "Keine Übereinstimmung" },
  ownProxy: async (host, url) => void (await host.mustRun(["sh", "-c", `echo proxy=${url} >>/etc/dnf/dnf.conf`])),
};
