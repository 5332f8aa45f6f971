import type { ViteUserConfig } from "vitest/config";
import { gateConfig } from "../../gate-config.ts";
import { gate } from "./gate.ts";
import system from "./vitest.config.ts";

const config: ViteUserConfig = gateConfig(system, { folder: "test/kube/system", played: gate });

export default config;
