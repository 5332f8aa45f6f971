import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { brokenBy } from "../proxy/server/flood/bounds.ts";
import { flood } from "../proxy/server/flood/flood.ts";
import { smallerLimits } from "../proxy/server/flood/limits.ts";

/** What the unit may have: systemd would kill a server that takes more. */
const unit = readFileSync(join(import.meta.dirname, "../../systemd/svc-proxy.service"), "utf8");
const unitMib = Number(/^MemoryMax=(\d+)G$/m.exec(unit)?.[1]) * 1024;

describe.each(["http", "https"] as const)(
  "over %s an honest client loses nothing, and memory is bounded, beside clients that",
  (scheme) => {
    test.each([
      ["ask without reading", 100, "shipped"],
      ["ask without waiting", 20, "shipped"],
      ["keep connections", smallerLimits.mostConnections + 50, "smaller"],
    ] as const)("%s", { timeout: 120_000 }, async (manner, connections, limits) => {
      const flooded = await flood({ scheme, manner, connections, limits }, 3);
      // How long it waits, and what is not yet collected, depends on what else this machine does.
      expect(brokenBy({ ...flooded, worstMs: { fresh: 0, kept: 0 }, peakMib: 0 })).toEqual([]);
      expect(flooded.peakMib).toBeLessThan(unitMib);
      expect(flooded.asked).toBeGreaterThan(2);
    });
  },
);
