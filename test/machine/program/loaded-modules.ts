import { registerHooks } from "node:module";

/** The modules that are loaded from now on. */
export const loaded: readonly string[] = followed();

function followed(): readonly string[] {
  const urls: string[] = [];
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      urls.push(resolved.url);
      return resolved;
    },
  });
  return urls;
}
