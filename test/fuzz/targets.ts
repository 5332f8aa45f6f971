import type { Target } from "./target.ts";
import { channelTargets } from "./targets/channel.ts";
import { helloTarget } from "./targets/client-hello.ts";
import { kubeTargets } from "./targets/kube.ts";
import { recordTargets } from "./targets/record.ts";
import { routeTargets } from "./targets/route.ts";
import { samlTarget } from "./targets/saml.ts";
import { settingsTargets } from "./targets/settings.ts";
import { windowTargets } from "./targets/window.ts";
import { versionTargets } from "./targets/version.ts";
import { yamlTarget } from "./targets/yaml.ts";

/** In this order they take turns: the index of an input says which of them it is for. */
export const targets: readonly Target[] = [
  ...channelTargets,
  ...versionTargets,
  ...windowTargets,
  ...routeTargets,
  ...settingsTargets,
  ...recordTargets,
  yamlTarget,
  helloTarget,
  samlTarget,
  ...kubeTargets,
];
