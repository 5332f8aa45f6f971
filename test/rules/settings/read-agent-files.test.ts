import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closedPlaces, readAgentFile, parseConfigKey, readScheduleFile } from "../../../src/rules/settings/read-agent-files.ts";

function saysOf(reading: ReturnType<typeof readAgentFile>): string {
  return reading.kind === "value" ? reading.value.onHost : reading.refusals.map(({ found }) => found).join();
}

describe("a file of the agent's", () => {
  test.each([
    "/etc/acme/agent.yaml",
    "/opt/acme/etc/a b.yaml",
    "/etc/default/acme",
    "/var/lib/acme/x",
    "/homes/x",
    "/etc/..x/.y",
  ])("may be %s", (path) => {
    expect(readAgentFile(path)).toEqual({ kind: "value", value: { onHost: path } });
  });

  test.each([
    ["a relative path", "etc/acme"],
    ["a directory", "/etc/acme/"],
    ["one that goes up", "/etc/acme/../shadow"],
    ["one that stays", "/etc/./shadow"],
    ["one with an empty name", "/etc//shadow"],
    ["one that begins with two slashes", "//etc/shadow"],
    ["one that ends above", "/etc/acme/.."],
    ["two lines", "/etc/a\nb"],
    ["a path that is too long", `/${"a".repeat(1024)}`],
    ["nothing", ""],
    ["a number", 7],
    ["a list", ["/etc/acme"]],
  ])("is not %s", (_title, raw) => {
    expect(readAgentFile(raw).kind).toBe("refused");
    expect(readScheduleFile(raw).kind).toBe("refused");
  });

  test.each([...closedPlaces])("is not %s or below, where the units do not look", (place) => {
    for (const path of [place, `${place}/acme/file`]) {
      expect(saysOf(readAgentFile(path))).toBe(`"${path}", and ${place} is closed to the updater's units`);
      expect(readScheduleFile(path).kind).toBe("refused");
    }
    expect(readAgentFile(`${place}-of-acme/file`).kind).toBe("value");
  });
});

describe("the schedule's file", () => {
  test.each([
    "/etc/svc-upgrade.d/schedule",
    "/etc/acme/schedule",
    "/var/lib/acme/upgrade/schedule",
    "/opt/acme/run/schedule",
    "/srv/acme/schedule",
    "/var/opt/acme/schedule",
  ])("may be %s", (path) => {
    expect(readScheduleFile(path)).toEqual({ kind: "value", value: { onHost: path } });
  });

  test.each([
    ["/etc/sudoers.d/schedule", "/etc/sudoers.d"],
    ["/etc/cron.d/schedule", "/etc/cron.d"],
    ["/etc/systemd/system/acme.service.d/schedule", "/etc/systemd/system/acme.service.d"],
    ["/etc/svc-upgrade/schedule", "/etc/svc-upgrade"],
    ["/var/lib/svc-upgrade/schedule", "/var/lib/svc-upgrade"],
    ["/var/lib/dpkg/info/schedule", "/var/lib/dpkg/info"],
  ])("is not %s: that directory is not to be given away", (path, directory) => {
    expect(saysOf(readScheduleFile(path))).toBe(`"${path}", whose directory (${directory}) is the system's own`);
  });

  test.each([
    ["/schedule", "/"],
    ["/etc/schedule", "/etc"],
    ["/var/lib/schedule", "/var/lib"],
    ["/var/schedule", "/var"],
    ["/opt/schedule", "/opt"],
    ["/usr/lib/acme/schedule", "/usr/lib/acme"],
    ["/data/acme/schedule", "/data/acme"],
  ])("is not %s: it needs a directory of its own, in a place for such", (path, directory) => {
    expect(saysOf(readScheduleFile(path))).toBe(`"${path}", whose directory (${directory}) is not one for it alone`);
  });
});

describe("the key of the endpoint", () => {
  test.each([
    ["proxy_server", ["proxy_server"]],
    ["acme.cluster.address", ["acme", "cluster", "address"]],
    ["a.b.c.d.e.f.g.h", ["a", "b", "c", "d", "e", "f", "g", "h"]],
    ["__proto__.x-1", ["__proto__", "x-1"]],
  ])("%s leads down by %j", (raw, value) => {
    expect(parseConfigKey(raw)).toEqual(value);
  });

  test.each(["", ".", "a.", ".a", "a..b", "a b", "a[0]", "a.b.c.d.e.f.g.h.i", "ä", "a".repeat(65), "a\n"])(
    "%j is none",
    (raw) => {
      expect(parseConfigKey(raw)).toBeUndefined();
    },
  );
});

test("whatever is given ends in an answer, and no path that is taken lies where it must not", () => {
  const pieces = fc.constantFrom("", "/", ".", "..", "etc", "home", "var", "lib", "acme", "private", "schedule", "x");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.array(pieces).map((words) => `/${words.join("/")}`),
      ),
      (raw) => {
        for (const read of [readAgentFile, readScheduleFile]) {
          const reading = read(raw);
          if (reading.kind === "refused") continue;
          const { onHost } = reading.value;
          expect(new URL(`file://${onHost.replaceAll(/[?#%\\]/g, "x")}`).pathname.split("/")).toHaveLength(
            onHost.split("/").length,
          );
          expect(closedPlaces.some((place) => `${onHost}/`.startsWith(`${place}/`))).toBe(false);
        }
      },
    ),
  );
});
