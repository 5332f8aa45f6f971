import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/system/**"],
    coverage: {
      provider: "v8",
      include: ["src/{fault,version,window,route,channel,settings,plan,record}/**"],
      reporter: ["text-summary"],
      thresholds: { branches: 100, functions: 100 },
    },
  },
});

export default config;
