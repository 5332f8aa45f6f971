import { describedCommands } from "./commands.ts";
import { bashCompletion } from "./completions/bash.ts";
import { fishCompletion } from "./completions/fish.ts";
import { zshCompletion } from "./completions/zsh.ts";
import { manualPage } from "./man/page.ts";
import { buildDate, projectVersion } from "./project.ts";
import { schemaFiles } from "./schemas/schemas.ts";
import type { TreeFile } from "./tree.ts";

/** What people, shells and other programs read about the program, made from its own tables: it cannot say anything else. */
export function generatedFiles({ zshCompletions }: { readonly zshCompletions: string }): readonly TreeFile[] {
  const commands = describedCommands();
  const page = manualPage({ version: projectVersion, unixSeconds: buildDate() });
  const schemas = Object.entries(schemaFiles());
  return [
    { to: "usr/share/man/man8/svc-upgrade.8.gz", compressed: page },
    { to: "usr/share/bash-completion/completions/svc-upgrade", text: bashCompletion(commands) },
    { to: `${zshCompletions}/_svc-upgrade`, text: zshCompletion(commands) },
    { to: "usr/share/fish/vendor_completions.d/svc-upgrade.fish", text: fishCompletion(commands) },
    ...schemas.map(([name, schema]) => ({
      to: `usr/share/svc-upgrade/schemas/${name}`,
      text: `${JSON.stringify(schema, undefined, 2)}\n`,
    })),
  ];
}
