/*
 * npm run soak:server [-- MINUTES]: a svc-proxy for so long (10 minutes unless said) at half of what it can serve at most, with five
 * reloads on the way. Needs Debian's wrk. Exit status 1 where an answer was lost, a reload refused, or a figure has grown.
 */
import { firstTool } from "../../../../packaging/tool.ts";
import { isFlat, printRows } from "../../../system/soak/rows.ts";
import { soakServer } from "./soak.ts";

const minutes = Number(process.argv[2] ?? 10);
if (!(minutes > 0)) {
  console.error("npm run soak:server -- MINUTES");
  process.exit(64);
}
firstTool(["wrk"], "it is the client; Debian has it as the package wrk");
const { most, served, watched, reloads, rows } = await soakServer(minutes * 60);
const grown = rows.filter((row) => !isFlat(row)).length;
console.log(`at most ${whole(most.perSecond)} requests/s, measured first
${whole(served.requests)} answers in ${minutes} minutes, ${whole(served.perSecond)} requests/s, p99 ${served.p99Ms} ms; ${served.lost} lost
${whole(watched.asked)} looks by another client meanwhile; ${watched.wrong.length} had no answer, or a wrong one
${reloads.done} reloads, ${reloads.refused} refused

${printRows(rows)}
${rows.length - grown} of ${rows.length} figures are flat`);
for (const wrong of watched.wrong.slice(0, 3)) console.log(wrong);
process.exitCode = grown + served.lost + watched.wrong.length + reloads.refused === 0 ? 0 : 1;

function whole(number: number): string {
  return Math.round(number).toLocaleString("en");
}
