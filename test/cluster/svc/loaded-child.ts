import { registerHooks } from "node:module";

const loaded: string[] = [];
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    loaded.push(resolved.url);
    return resolved;
  },
});

/** Says what a plain host loads for as long as it runs. */
await import("../../../src/cluster/svc/cli/start.ts");
process.stdout.write(loaded.join("\n"));
