/** Node's longest timer. Longer deadlines are cut to it, then refused. */
const mostTimerMs = 2_147_483_647;

const units: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 0.001, n: 0.000_001 };

/** Cuts the client's deadline header to Node's longest timer. */
export function shorterDeadline(name: string, value: string): string {
  if (name === "connect-timeout-ms" && /^\d+$/.test(value)) return Number(value) > mostTimerMs ? String(mostTimerMs) : value;
  const [, count = "", unit = ""] = name === "grpc-timeout" ? (/^(\d{1,8})([HMSmun])$/.exec(value) ?? []) : [];
  return Number(count) * (units[unit] ?? 0) > mostTimerMs ? `${Math.floor(mostTimerMs / 3_600_000)}H` : value;
}
