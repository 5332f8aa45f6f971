import { svcProxy } from "../../src/proxy/server/cli/program.ts";
import { describedCommands } from "../commands.ts";
import { serverPage } from "../man/server/page.ts";
import type { Product } from "../product.ts";
import { answers } from "../schemas/server.ts";

export const server: Product = {
  packageName: "svc-proxy",
  program: "svc-proxy",
  alsoCalled: [],
  summary: "serves a cluster's version channels and its ping",
  description: [
    "Tells the updaters of a fleet which version of the agent they should run, and",
    "clients how the cluster is reached, beside the cluster or in front of it.",
    "Its installation neither enables nor starts the server, which needs the",
    'cluster\'s configuration in /etc/svc.yaml: "svc-proxy check" says whether that',
    'is right, and "systemctl enable --now svc-proxy.service" starts it.',
  ],
  units: ["systemd/system/svc-proxy.service", "systemd/system/svc-proxy.socket", "systemd/system-preset/50-svc-proxy.preset"],
  needrestart: "svc-proxy.conf",
  documents: ["SECURITY.md", "CHANGELOG.md", "docs/recipes.md", "docs/server.md"],
  examples: [],
  folders: [],
  commands: describedCommands(svcProxy),
  page: serverPage,
  answers,
  scripts: {
    deb: {
      preinst: ["deb/preinst"],
      postinst: ["scripts/masked.sh", "scripts/svc-proxy/installed.sh", "scripts/svc-proxy/postinst"],
      prerm: ["scripts/svc-proxy/removing.sh", "scripts/svc-proxy/prerm"],
      postrm: ["scripts/svc-proxy/removed.sh", "scripts/svc-proxy/postrm"],
    },
    rpm: {
      post: ["scripts/masked.sh", "scripts/svc-proxy/installed.sh", "scripts/svc-proxy/post"],
      preun: ["scripts/svc-proxy/removing.sh", "scripts/svc-proxy/preun"],
      postun: ["scripts/svc-proxy/removed.sh", "scripts/svc-proxy/postun"],
    },
  },
  lintianOverrides: "scripts/svc-proxy/lintian-overrides",
};
