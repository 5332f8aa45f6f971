/*
 * npm run hostile:server [-- SECONDS]: hostile crowds on loopback, each for so long (15 seconds unless said) against a svc-proxy of
 * its own, and beside them one honest client that asks twenty times a second, over a fresh connection and over one that it keeps.
 * Idle connections are more than a svc-proxy with a tenth of the shipped limits bears. Prints how long it waited at most, and what the server's process had at most. Exit status 1 where an answer was lost or a bound
 * is broken; the waits mean something where nothing else runs.
 */
import { brokenBy, heading, rowOf } from "./bounds.ts";
import { flood, type Flood } from "./flood.ts";
import { smallerLimits } from "./limits.ts";

const seconds = Number(process.argv[2] ?? 15);
if (!(seconds > 0)) {
  console.error("npm run hostile:server -- SECONDS");
  process.exit(64);
}

const floods = (["http", "https"] as const).flatMap((scheme): readonly Flood[] => [
  { scheme, manner: "ask without reading", connections: 50, limits: "shipped" },
  { scheme, manner: "ask without reading", connections: 1500, limits: "shipped" },
  { scheme, manner: "ask without waiting", connections: 50, limits: "shipped" },
  { scheme, manner: "ask by halves", connections: 1500, limits: "shipped" },
  { scheme, manner: "keep connections", connections: smallerLimits.mostConnections + 50, limits: "smaller" },
]);

console.log(heading);
let broken = 0;
for (const each of floods) {
  const flooded = await flood(each, seconds);
  console.log(rowOf(each, flooded));
  for (const told of brokenBy(flooded)) {
    broken += 1;
    console.log(`  BROKEN: ${told}`);
  }
}
console.log(broken === 0 ? "all bounds hold" : `${broken} bounds are broken`);
process.exitCode = broken === 0 ? 0 : 1;
