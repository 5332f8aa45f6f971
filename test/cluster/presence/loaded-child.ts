import { registerHooks } from "node:module";

const loaded: string[] = [];
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    loaded.push(resolved.url);
    return resolved;
  },
});

/** Joins, and says what was loaded for it. */
await import("./join-child.ts");
await import("../../../src/cluster/presence/presence.ts");
await import("../../../src/cluster/presence/reporting.ts");
process.stdout.write(loaded.join("\n"));
