import { describe, expect, it } from "vitest";
import { openLog } from "../../../src/machine/logging/open-log.ts";
import { changesSince } from "../../../src/cluster/tctl/journal-changes.ts";

/** What auth logs of a change, by either of its logs, as journalctl hands it on. */
async function journalOf(logFormat: "text" | "json"): Promise<string> {
  const written: string[] = [];
  const log = await openLog({ logFormat, logLevel: "info" }, { error: (line) => void written.push(line), stderrIs: "journal" });
  log("info", "serving", { services: "auth", data_dir: "/var/lib/svc" });
  const audit = { event: "user.deleted", actor: "root@auth1", origin: "socket", kind: "user", detail: 'said "so" \\' };
  log("info", "audit", { ...audit, name: "a=b c", revision: "9" });
  const entry = (line: string): string =>
    JSON.stringify({ MESSAGE: line.trimEnd().replace(/^<\d>/, ""), __REALTIME_TIMESTAMP: "1767614400123456" });
  return `${written.map(entry).join("\n")}\n{"MESSAGE":[255,0]}\nnot a line of it\n`;
}

const exited = { kind: "exited", status: 0, stderr: "" } as const;

describe("what the journal shows of changes", () => {
  it.each(["text", "json"] as const)("is what auth has logged as %s", async (format) => {
    const stdout = await journalOf(format);
    const asked: (readonly string[])[] = [];
    const changes = await changesSince(1000, async ({ argv }) => {
      asked.push(argv);
      return { ...exited, stdout };
    });
    expect(changes).toEqual({
      kind: "known",
      by: "journal",
      lines: ["2026-01-05T12:00:00Z user.deleted user/a=b c by root@auth1"],
      more: 0,
    });
    expect(asked[0]).toContain("--since=@1000");
  });

  it("says how many are left out", async () => {
    const line = (await journalOf("text")).split("\n")[1] ?? "";
    const changes = await changesSince(1000, async () => ({ ...exited, stdout: `${line}\n`.repeat(203) }));
    expect(changes).toMatchObject({ kind: "known", more: 3 });
  });

  it("is unknown where there is none", async () => {
    expect(await changesSince(1, async () => ({ ...exited, status: 1, stdout: "" }))).toMatchObject({ kind: "unknown" });
    const nothing = { kind: "unknown", why: "the journal of svc.service holds nothing since then" };
    expect(await changesSince(1, async () => ({ ...exited, stdout: "" }))).toEqual(nothing);
    const none = { kind: "not-started", reason: "missing", message: "" } as const;
    expect(await changesSince(1, async () => none)).toEqual({ kind: "unknown", why: "this host has no journal" });
  });
});
