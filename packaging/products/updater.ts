import { svcUpgrade } from "../../src/updater/cli/tree.ts";
import { packageName } from "../about.ts";
import { describedCommands } from "../commands.ts";
import { updaterPage } from "../man/updater/page.ts";
import type { Product } from "../product.ts";
import { answers } from "../schemas/updater.ts";

export const updater: Product = {
  packageName,
  program: "svc-upgrade",
  alsoCalled: [],
  summary: "keeps the agent of a host on the version its cluster serves",
  description: [
    "A timer looks every ten minutes which version of the agent the cluster serves",
    "on its channel. Inside the maintenance window the agent is moved there by the",
    "host's own package manager, verified, and recorded.",
  ],
  units: [
    "systemd/system/svc-upgrade.timer",
    "systemd/system/svc-upgrade.service",
    "systemd/system/svc-upgrade-ask.socket",
    "systemd/system/svc-upgrade-ask.service",
    "systemd/system/svc-upgrade-act.socket",
    "systemd/system/svc-upgrade-act.service",
    "systemd/system-preset/50-svc-upgrade.preset",
    "sysusers.d/svc-upgrade.conf",
  ],
  needrestart: "svc-upgrade.conf",
  documents: [
    "README.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "docs/commands.md",
    "docs/deciding.md",
    "docs/files-and-units.md",
    "docs/installing.md",
    "docs/metrics.md",
    "docs/other-agents.md",
    "docs/proxies.md",
    "docs/questions.md",
    "docs/reasons-and-faults.md",
    "docs/recipes.md",
    "docs/settings.md",
  ],
  examples: ["trial"],
  folders: [
    { to: "etc/svc-upgrade", folder: "root's" },
    { to: "etc/svc-upgrade.d", folder: "agent's" },
  ],
  commands: describedCommands(svcUpgrade),
  page: updaterPage,
  answers,
  scripts: {
    deb: {
      preinst: ["deb/preinst"],
      postinst: ["scripts/masked.sh", "scripts/svc-upgrade/account.sh", "scripts/svc-upgrade/installed.sh", "deb/postinst"],
      prerm: ["scripts/svc-upgrade/removing.sh", "scripts/svc-upgrade/prerm"],
      postrm: ["scripts/schedule.sh", "scripts/svc-upgrade/removed.sh", "scripts/svc-upgrade/postrm"],
    },
    rpm: {
      post: [
        "scripts/masked.sh",
        "scripts/svc-upgrade/account.sh",
        "scripts/svc-upgrade/installed.sh",
        "scripts/svc-upgrade/post",
        "rpm/post",
      ],
      preun: ["scripts/svc-upgrade/removing.sh", "scripts/svc-upgrade/preun"],
      postun: ["scripts/svc-upgrade/removed.sh", "rpm/postun"],
    },
  },
  lintianOverrides: "scripts/svc-upgrade/lintian-overrides",
};
