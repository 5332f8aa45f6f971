import { svcKubeUpdater } from "../../src/kube/reconcile/tree.ts";
import { describedCommands } from "../commands.ts";
import { kubeUpdaterPage } from "../man/kube-updater/page.ts";
import type { Called } from "../product.ts";
import { answers } from "../schemas/kube-updater.ts";

/** svc-kube-updater comes in an image, not in a package. */
export const kubeUpdater: Called = {
  program: "svc-kube-updater",
  commands: describedCommands(svcKubeUpdater),
  page: kubeUpdaterPage,
  answers,
};
