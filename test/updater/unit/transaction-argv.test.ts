import { describe, expect, test } from "vitest";
import { transactionArgv, transactionLinesArgv } from "../../../src/updater/unit/transaction-argv.ts";

describe("the transaction's unit", () => {
  const files = { environmentFile: "/run/svc-upgrade/transaction.env", endFile: "/run/svc-upgrade/transaction-end" };
  const unit = { id: "an-id", what: "install svc-ent=1", ...files };
  const argv = transactionArgv(["apt-get", "install", "svc-ent=1"], unit);

  test("has its fixed name, and the program after all options", () => {
    expect(argv).toContain("--unit=svc-upgrade-transaction.service");
    expect(argv.slice(-4)).toEqual(["--", "apt-get", "install", "svc-ent=1"]);
  });

  test.each([
    "KillSignal=SIGCONT",
    "TimeoutStopSec=infinity",
    "KillMode=mixed",
    "StandardOutput=journal",
    "StandardError=journal",
  ])("cannot be killed by a stop or by a reader that died: %s", (property) => {
    expect(argv).toContain(property);
  });

  test("never has a longest duration", () => {
    expect(argv.join(" ")).not.toContain("RuntimeMaxSec");
  });

  test("reads the variables of the call and of no other file", () => {
    const named = argv.filter((word) => word.startsWith("EnvironmentFile="));
    expect(named).toEqual(["EnvironmentFile=/run/svc-upgrade/transaction.env"]);
  });

  test("writes down how it ended, in words that systemd 252 spoils in no way when it reads its units again", () => {
    const [command = "", ...others] = argv.filter((word) => word.startsWith("ExecStopPost="));
    expect(others).toEqual([]);
    expect(command).toMatch(/^ExecStopPost=\/bin\/sh -c "echo an-id >.* printenv SERVICE_RESULT EXIT_CODE EXIT_STATUS >>.*"$/);
    expect(command).not.toMatch(/[$%;()'\\`]/);
  });

  test("is gone with its program, so that an older version that finds it waits no longer than that", () => {
    expect(argv).toContain("--collect");
    expect(argv.join(" ")).not.toMatch(/RemainAfterExit|--wait/);
  });

  test("stamps its lines with what they are found by", () => {
    expect(argv).toContain("LogExtraFields=SVC_UPGRADE_TRANSACTION=an-id");
    expect(transactionLinesArgv("an-id", 9)).toContain("SVC_UPGRADE_TRANSACTION=an-id");
  });
});

test("what is printed for programs goes into a file, and what is said of it into the journal as ever", () => {
  const files = { environmentFile: "/run/e", endFile: "/run/f", outputFile: "/run/svc-upgrade/transaction-output" };
  const argv = transactionArgv(["zypper", "--xmlout", "download", "svc-ent"], { id: "an-id", what: "download", ...files });
  expect(argv).toContain("StandardOutput=file:/run/svc-upgrade/transaction-output");
  expect(argv).toContain("StandardError=journal");
});
