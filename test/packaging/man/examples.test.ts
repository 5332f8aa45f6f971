import { describe, expect, test } from "vitest";
import { cluster } from "../../../packaging/products/cluster.ts";
import { kubeUpdater } from "../../../packaging/products/kube-updater.ts";
import { server } from "../../../packaging/products/server.ts";
import { tctl as tctlPages } from "../../../packaging/products/tctl.ts";
import { tsh as tshPages } from "../../../packaging/products/tsh.ts";
import { updater } from "../../../packaging/products/updater.ts";
import { svc } from "../../../src/cluster/svc/tree.ts";
import { tctl } from "../../../src/cluster/tctl/tree.ts";
import { tsh } from "../../../src/cluster/tsh/tree.ts";
import { svcKubeUpdater } from "../../../src/kube/reconcile/tree.ts";
import type { Program } from "../../../src/machine/command-line/row.ts";
import { svcProxy } from "../../../src/proxy/server/cli/program.ts";
import { svcUpgrade } from "../../../src/updater/cli/tree.ts";
import { understood } from "../../machine/command-line/understood.ts";

const programs: readonly (readonly [Program<never>, typeof tctlPages])[] = [
  [svcUpgrade, updater],
  [svcProxy, server],
  [svc, cluster],
  [tctl, tctlPages],
  [tsh, tshPages],
  [svcKubeUpdater, kubeUpdater],
];

/** The commands of a line for a shell, each without what stands before the program. */
function commandsIn(line: string): readonly (readonly string[])[] {
  return line.split(/ (?:\||&&|;|>)/).map((command) => {
    const typed = command.trim().replace(/^(?:sudo |kubectl .* -- |[A-Z]+=\S+ )/, "");
    return (typed.match(/"[^"]*"|[^ ]+/g) ?? []).map((word) => word.replaceAll('"', ""));
  });
}

describe.each(programs)("$name", (program, { page }) => {
  const rows = program.rows.filter(({ hidden }) => hidden === undefined);

  test("says of each command what it does, and shows it in an example", () => {
    for (const { words, told, examples } of rows) {
      expect(told).not.toBe("");
      expect(examples.join("\n")).toContain([program.name, ...words].join(" "));
    }
  });

  test.each([...rows.flatMap(({ examples }) => examples), ...page.examples.flatMap(({ typed }) => typed)])(
    "understands its example %s",
    async (line) => {
      const own = commandsIn(line).filter(([name]) => name === program.name);
      expect(await Promise.all(own.map(([, ...argv]) => understood(program, argv)))).not.toContain(undefined);
    },
  );
});
