import { svc } from "../../src/cluster/svc/tree.ts";
import { describedCommands } from "../commands.ts";
import { svcPage } from "../man/svc/page.ts";
import type { Product } from "../product.ts";
import { answers } from "../schemas/svc.ts";
import { tctl } from "./tctl.ts";
import { tsh } from "./tsh.ts";

export const cluster: Product = {
  packageName: "svc-ent",
  program: "svc",
  alsoCalled: [tctl, tsh],
  summary: "runs and administers a cluster of hosts",
  description: [
    "The services of a cluster, its auth service and its proxy, as svc; what",
    "administers the cluster, as tctl; and what signs in to it, as tsh.",
    "The service is neither enabled nor started on a host without a configuration",
    'in /etc/svc.yaml: "svc check" says whether that is right, and "systemctl',
    'enable --now svc.service" starts it.',
  ],
  units: [
    "systemd/system/svc.service",
    "systemd/system/svc.service.d/10-svc-ent.conf",
    "systemd/system-preset/50-svc.preset",
    "sysusers.d/svc-ent.conf",
  ],
  needrestart: "svc.conf",
  documents: [
    "SECURITY.md",
    "CHANGELOG.md",
    "docs/cluster.md",
    "docs/cluster-commands.md",
    "docs/cluster-installing.md",
    "docs/cluster-joining.md",
    "docs/cluster-metrics.md",
    "docs/cluster-people.md",
    "docs/shells.md",
    "docs/growing.md",
  ],
  examples: [],
  folders: [],
  commands: describedCommands(svc),
  page: svcPage,
  answers,
  scripts: {
    deb: {
      preinst: ["deb/preinst"],
      postinst: ["scripts/masked.sh", "scripts/svc/account.sh", "scripts/svc/installed.sh", "scripts/svc/postinst"],
      prerm: ["scripts/svc/removing.sh", "scripts/svc/prerm"],
      postrm: ["scripts/schedule.sh", "scripts/svc/removed.sh", "scripts/svc/postrm"],
    },
    rpm: {
      post: ["scripts/masked.sh", "scripts/svc/account.sh", "scripts/svc/installed.sh", "rpm/post"],
      preun: ["scripts/svc/removing.sh", "scripts/svc/preun"],
      postun: ["scripts/svc/removed.sh", "rpm/postun"],
    },
  },
  lintianOverrides: "scripts/svc/lintian-overrides",
};
