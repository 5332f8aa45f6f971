/*
 * npm run soak [-- PASSES]: so many passes in a row on one booted host (1,000 unless said), and what they leave. Needs root, and
 * `npm run package` before it. Exit status 1 where a figure has grown.
 */
import { sweepAbandonedHosts } from "./lab/host.ts";
import { missingForLab } from "./lab/machine.ts";
import { bootPrepared } from "./lab/prepared.ts";
import { serveRepository } from "./lab/repository.ts";
import { serveVersions } from "./lab/version-server.ts";
import { soak } from "./soak/passes.ts";
import { isFlat, printRows } from "./soak/rows.ts";
import { withUpdater } from "./updater.ts";

const passes = Number(process.argv[2] ?? 1000);
if (!Number.isInteger(passes) || passes < 1) {
  console.error("npm run soak -- PASSES, a whole number");
  process.exit(64);
}
const missing = await missingForLab();
if (missing.length > 0) {
  console.error(missing.join("\n"));
  process.exit(69);
}
await sweepAbandonedHosts();
const host = await bootPrepared(withUpdater({ suite: "bookworm" }));
try {
  const began = performance.now();
  const [repository, versions] = await Promise.all([serveRepository(host), serveVersions(host)]);
  const rows = await soak({ host, repository, versions }, passes);
  const seconds = Math.round((performance.now() - began) / 1000);
  const grown = rows.filter((row) => !isFlat(row)).length;
  console.log(
    `${passes} passes in ${seconds} s\n\n${printRows(rows)}\n${rows.length - grown} of ${rows.length} figures are flat`,
  );
  process.exitCode = grown === 0 ? 0 : 1;
} finally {
  await host.stop();
}
