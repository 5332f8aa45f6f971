import { describe, expect, test } from "vitest";
import { parseEnd } from "../../../src/updater/unit/transaction-end.ts";

/** As the unit's last command wrote it on booted hosts. What the kernel kills for its memory is written by hand: hosts have no memory controller. */
const ends: readonly { title: string; written: string; end: unknown }[] = [
  { title: "success", written: "an-id\nsuccess\nexited\n0\n", end: { kind: "exited", status: 0 } },
  { title: "a status", written: "an-id\nexit-code\nexited\n100\n", end: { kind: "exited", status: 100 } },
  { title: "SIGKILL", written: "an-id\nsignal\nkilled\nKILL\n", end: { kind: "killed", signal: "SIGKILL" } },
  { title: "a crash", written: "an-id\ncore-dump\ndumped\nSEGV\n", end: { kind: "killed", signal: "SIGSEGV" } },
  { title: "SIGTERM, which systemd counts as success", written: "an-id\nsuccess\nkilled\nTERM\n", end: { signal: "SIGTERM" } },
  {
    title: "the kernel's want of memory",
    written: "an-id\noom-kill\nkilled\nKILL\n",
    end: { kind: "killed", signal: "SIGKILL", how: "for lack of memory" },
  },
  {
    title: "a child that the kernel killed, of which the program told with a status",
    written: "an-id\noom-kill\nexited\n100\n",
    end: { kind: "killed", signal: "SIGKILL", how: "for lack of memory" },
  },
  {
    title: "a unit that never got so far as a process",
    written: "an-id\nresources\n",
    end: { kind: "not-started", message: "systemd says: resources" },
  },
];

describe("the end of a transaction", () => {
  test.each(ends)("is $title", ({ written, end }) => {
    expect(parseEnd(written, "an-id")).toMatchObject(end as object);
  });

  test.each(["another-id\nsuccess\nexited\n0\n", "an-id"])("is not known from %j", (written) => {
    expect(parseEnd(written, "an-id")).toBeUndefined();
  });
});
