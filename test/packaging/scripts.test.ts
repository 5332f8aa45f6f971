import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Product } from "../../packaging/product.ts";
import { products } from "../../packaging/products/products.ts";
import { cluster } from "../../packaging/products/cluster.ts";
import { server } from "../../packaging/products/server.ts";
import { updater } from "../../packaging/products/updater.ts";
import { formats, type Format } from "../../packaging/project.ts";
import { packageScript, scriptNames } from "../../packaging/scripts.ts";

const scripts = products.flatMap((product) =>
  formats.flatMap((format) =>
    scriptNames(product, format).map((name) => ({
      packageName: product.packageName,
      format,
      name,
      text: packageScript(product, format, name),
    })),
  ),
);

test.skipIf(spawnSync("shellcheck", ["--version"]).error !== undefined).each(scripts)(
  "shellcheck finds nothing in the $name of $packageName's $format",
  ({ text }) => {
    const { stdout, status } = spawnSync("shellcheck", ["--shell=sh", "-"], { encoding: "utf8", input: text });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  },
);

test.each(scripts)("the $name of $packageName's $format stops at the first command that fails", ({ text }) => {
  expect(text).toMatch(/^set -e\n/);
});

type Call = { readonly script: string; readonly argv: readonly string[] };

/** As dpkg and rpm call them. */
const occasions = {
  deb: {
    installation: { script: "postinst", argv: ["configure", ""] },
    upgrade: { script: "postinst", argv: ["configure", "0.0.9"] },
    "before an upgrade": { script: "prerm", argv: ["upgrade", "0.2.0"] },
    "after an upgrade": { script: "postrm", argv: ["upgrade", "0.2.0"] },
    "before a removal": { script: "prerm", argv: ["remove"] },
    "after a removal": { script: "postrm", argv: ["remove"] },
    "before a downgrade": { script: "prerm", argv: ["upgrade", "0.0.9"] },
    purge: { script: "postrm", argv: ["purge"] },
    // The package's scripts stay until it is purged, and dpkg knows the version it had.
    "installation after a removal": { script: "postinst", argv: ["configure", "0.0.9"] },
  },
  rpm: {
    installation: { script: "post", argv: ["1"] },
    upgrade: { script: "post", argv: ["2"] },
    "before an upgrade": { script: "preun", argv: ["1"] },
    "after an upgrade": { script: "postun", argv: ["1"] },
    "before a removal": { script: "preun", argv: ["0"] },
    "after a removal": { script: "postun", argv: ["0"] },
    "after a downgrade": { script: "postun", argv: ["1"] },
    "installation after a removal": { script: "post", argv: ["1"] },
  },
} as const satisfies Readonly<Record<Format, Readonly<Record<string, Call>>>>;

type Occasion = keyof (typeof occasions)["deb"] | keyof (typeof occasions)["rpm"];

let place = "";
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "svc-upgrade-scripts-"));
  for (const folder of ["etc", "run/svc-upgrade", "var/lib/systemd/timers"]) mkdirSync(join(place, folder), { recursive: true });
  standIns();
  units({ "svc-upgrade.timer": ["enabled", "inactive"] });
});
afterEach(() => rmSync(place, { recursive: true }));

describe.each(formats)("the scripts of the updater's %s, below a scratch root and with a stand-in for systemctl", (format) => {
  const run = (occasion: Occasion): readonly string[] => ran(updater, format, occasion);
  const timer = "svc-upgrade.timer";

  test("apply the preset at the first installation, start what it enables, and do neither again", () => {
    boot();
    expect(run("installation")).toEqual([`preset --quiet ${timer}`, "daemon-reload", `restart ${timer}`]);
    units({ [timer]: ["enabled", "inactive"] });
    expect(run("upgrade")).toEqual(["daemon-reload"]);
  });

  test("restart the timer and nothing else at an upgrade, where it runs", () => {
    boot();
    units({ [timer]: ["enabled", "active"] });
    expect(run("upgrade")).toEqual(["daemon-reload", `restart ${timer}`]);
    units({ [timer]: ["disabled", "inactive"] });
    expect(run("upgrade")).toEqual(["daemon-reload"]);
  });

  test("have the sockets opened again at an upgrade, but for one whose unit is at work or is about to be", () => {
    boot();
    const open = { "svc-upgrade-ask.socket": ["static", "active"], "svc-upgrade-act.socket": ["static", "active"] } as const;
    units({ [timer]: ["disabled", "inactive"], ...open, "svc-upgrade-ask.service": ["static", "failed"] });
    expect(run("upgrade")).toEqual(["daemon-reload", "restart svc-upgrade-ask.socket", "restart svc-upgrade-act.socket"]);
    units({
      [timer]: ["disabled", "inactive"],
      ...open,
      "svc-upgrade-ask.service": ["static", "activating"],
      "svc-upgrade-act.service": ["static", "active"],
    });
    expect(run("upgrade")).toEqual(["daemon-reload"]);
  });

  test("start nothing in an image whose systemd does not run", () => {
    expect(run("installation")).toEqual([`preset --quiet ${timer}`]);
    expect(run("upgrade")).toEqual([]);
  });

  test.each(["masked", "masked-runtime"] as const)("leave a timer alone that is %s, on every occasion", (state) => {
    boot();
    units({ [timer]: [state, "active"] });
    expect(run("installation")).toEqual(["daemon-reload"]);
    expect(run("upgrade")).toEqual(["daemon-reload"]);
    run("before a removal");
    run("after a removal");
    expect(run("installation after a removal")).toEqual(["daemon-reload"]);
  });

  test("keep a timer running that could not start again because its service is masked", () => {
    boot();
    units({ [timer]: ["enabled", "active"], "svc-upgrade.service": ["masked", "inactive"] });
    expect(run("upgrade")).toEqual(["daemon-reload"]);
    expect(run("installation")).toEqual([`preset --quiet ${timer}`, "daemon-reload"]);
  });

  test("leave the package installed, and say where to look, when the timer does not start", () => {
    boot();
    failing("restart");
    expect(ended(updater, format, "installation")).toMatchObject({
      status: 0,
      stderr: "svc-upgrade.timer did not start; the reason is in: journalctl -u svc-upgrade.timer\n",
    });
  });

  test("make the user that decides before they start anything", () => {
    boot();
    expect(run("installation")).toContain(`restart ${timer}`);
    expect(readFileSync(join(place, "passwd"), "utf8")).toMatch(/^svc-upgrade:x:999:/);
  });

  test("start nothing without that user, and install all the same", () => {
    boot();
    failing("account");
    const { status, stderr, asked } = ended(updater, format, "installation");
    expect([status, asked]).toEqual([0, [`preset --quiet ${timer}`, "daemon-reload"]]);
    expect(stderr).toMatch(
      /^There is no user svc-upgrade yet, .*: systemd-sysusers svc-upgrade\.conf && systemctl start svc-upgrade\.timer\n$/,
    );
  });

  test.each(["0", "00"])("start nothing where an administrator's account of that name has uid %s, and say so", (uid) => {
    boot();
    writeFileSync(join(place, "passwd"), `svc-upgrade:x:${uid}:999::/root:/usr/sbin/nologin\n`);
    units({ [timer]: ["enabled", "active"] });
    const { status, stderr, asked } = ended(updater, format, "upgrade");
    expect([status, asked]).toEqual([0, ["daemon-reload"]]);
    expect(stderr).toContain("The account svc-upgrade of this host has uid 0, and the updater does not decide as root");
  });

  test("take an administrator's account of root's group, and say where it has a login shell", () => {
    boot();
    writeFileSync(join(place, "passwd"), "svc-upgrade:x:1500:0::/home/svc-upgrade:/bin/bash\n");
    const { status, stderr, asked } = ended(updater, format, "installation");
    expect([status, asked]).toEqual([0, [`preset --quiet ${timer}`, "daemon-reload", `restart ${timer}`]]);
    expect(stderr).toMatch(
      /^The account svc-upgrade of this host has a login shell, .*: usermod --shell \/usr\/sbin\/nologin svc-upgrade\n$/,
    );
    writeFileSync(join(place, "passwd"), "svc-upgrade:x:1500:1500::/:/bin/false\n");
    expect(run("upgrade")).toEqual(["daemon-reload"]);
  });

  test.each(["nothing", "a file of an older release's", "the link", "a link of somebody else's"] as const)(
    "lead the metrics' collector from where there is %s to where the metrics lie",
    (before) => {
      const link = join(place, "var/lib/svc-upgrade/metrics.prom");
      mkdirSync(join(place, "var/lib/svc-upgrade"));
      writeFileSync(join(place, "theirs"), "kept");
      if (before === "a file of an older release's") writeFileSync(link, "svc_upgrade_up 1\n");
      if (before === "the link") symlinkSync("../svc-upgrade-decide/metrics.prom", link);
      if (before === "a link of somebody else's") symlinkSync("../../../theirs", link);
      run(before === "nothing" ? "installation" : "upgrade");
      expect(readlinkSync(link)).toBe("../svc-upgrade-decide/metrics.prom");
      expect(readFileSync(join(place, "theirs"), "utf8")).toBe("kept");
    },
  );

  test.each(["before an upgrade", "after an upgrade"] as const)("touch nothing %s", (occasion) => {
    expect(run(occasion)).toEqual([]);
    expect(existsSync(join(place, "run/svc-upgrade"))).toBe(true);
  });

  test("take the timer's link away at a removal, and bring it back when the package comes back", () => {
    boot();
    expect(run("before a removal")).toContain(`disable --quiet ${timer}`);
    run("after a removal");
    expect(existsSync(join(place, "run/svc-upgrade"))).toBe(false);
    expect(run("installation after a removal")).toEqual([`enable --quiet ${timer}`, "daemon-reload", `restart ${timer}`]);
    units({ [timer]: ["disabled", "inactive"] });
    expect(run("upgrade")).toEqual(["daemon-reload"]);
  });

  test("leave a timer disabled that was disabled when the package was removed", () => {
    boot();
    units({ [timer]: ["disabled", "inactive"] });
    run("before a removal");
    run("after a removal");
    expect(run("installation after a removal")).toEqual(["daemon-reload"]);
  });
});

describe("a purge of the updater's deb", () => {
  const purged = (): Ended => ended(updater, "deb", "purge");
  const at = (path: string): string => join(place, path);

  beforeEach(() => {
    for (const folder of ["etc/svc-upgrade", "etc/svc-upgrade.d", "var/lib/svc-upgrade", "var/lib/svc-upgrade-decide"])
      mkdirSync(at(folder));
    writeFileSync(at("etc/svc-upgrade/50-a.yaml"), "");
    writeFileSync(at("etc/svc-upgrade.d/schedule"), "nop\n");
    writeFileSync(at("var/lib/svc-upgrade/ledger.json"), "{}");
    symlinkSync("../svc-upgrade-decide/metrics.prom", at("var/lib/svc-upgrade/metrics.prom"));
    writeFileSync(at("var/lib/svc-upgrade-decide/metrics.prom"), "");
  });

  test("leaves nothing of ours", () => {
    expect(purged()).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(at("etc"))).toEqual([]);
    expect(readdirSync(at("var/lib"))).toEqual(["systemd"]);
  });

  test("removes an empty folder in the schedule's place", () => {
    rmSync(at("etc/svc-upgrade.d/schedule"));
    mkdirSync(at("etc/svc-upgrade.d/schedule"));
    expect(purged()).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(at("etc"))).toEqual([]);
  });

  test("leaves a folder that somebody filled in the schedule's place, says so, and removes everything else", () => {
    rmSync(at("etc/svc-upgrade.d/schedule"));
    mkdirSync(at("etc/svc-upgrade.d/schedule"));
    writeFileSync(at("etc/svc-upgrade.d/schedule/thesis"), "");
    const told = `svc-ent-updater leaves ${at("etc/svc-upgrade.d/schedule")}, which holds what it did not make; delete it by hand\n`;
    expect(purged()).toMatchObject({ status: 0, stderr: told });
    expect(readdirSync(at("etc"), { recursive: true })).toEqual([
      "svc-upgrade.d",
      "svc-upgrade.d/schedule",
      "svc-upgrade.d/schedule/thesis",
    ]);
    expect(existsSync(at("var/lib/svc-upgrade"))).toBe(false);
  });

  test.each(["a folder", "a file", "nothing"] as const)(
    "removes a link in the schedule's place, and not the %s it leads to",
    (to) => {
      mkdirSync(at("home"));
      if (to === "a folder") mkdirSync(at("home/there"));
      if (to === "a file") writeFileSync(at("home/there"), "kept");
      rmSync(at("etc/svc-upgrade.d/schedule"));
      symlinkSync(at("home/there"), at("etc/svc-upgrade.d/schedule"));
      expect(purged()).toMatchObject({ status: 0, stderr: "" });
      expect(existsSync(at("home/there"))).toBe(to !== "nothing");
      expect(readdirSync(at("etc"))).toEqual([]);
    },
  );
});

describe.each(formats)("the scripts of svc-proxy's %s, below a scratch root and with a stand-in for systemctl", (format) => {
  const run = (occasion: Occasion): readonly string[] => ran(server, format, occasion);
  const [unit, socket] = ["svc-proxy.service", "svc-proxy.socket"];
  const presets = format === "rpm" ? [`preset --quiet ${socket}`, `preset --quiet ${unit}`] : [];
  const runs = (more: Units = {}): void => units({ [unit]: ["enabled", "active"], ...more });

  beforeEach(() => {
    units({ [unit]: ["disabled", "inactive"], [socket]: ["disabled", "inactive"] });
  });

  test("start nothing on a host whose systemd does not run, and forget the units at a removal", () => {
    expect(run("installation")).toEqual(presets);
    expect(run("upgrade")).toEqual([]);
    expect(run("before a removal")).toEqual([`disable --quiet ${socket} ${unit}`]);
    expect(run("after a removal")).toEqual([]);
  });

  test("restart the server at an upgrade only where it runs, and enable nothing", () => {
    boot();
    expect(run("upgrade")).toEqual(["daemon-reload"]);
    units({ [unit]: ["enabled", "inactive"] });
    expect(run("upgrade")).toEqual(["daemon-reload"]);
    runs();
    expect(run("upgrade")).toEqual(["daemon-reload", `try-restart ${unit}`]);
  });

  test("ask this version whether it takes the configuration that the unit names, as the unit's user", () => {
    boot();
    runs();
    run("upgrade");
    expect(readFileSync(join(place, "svc-proxy.log"), "utf8")).toBe("check --log-level error\n");
  });

  test("let the server go on where this version refuses it, and say what to do", () => {
    boot();
    runs();
    failing("check");
    const { status, stderr, asked } = ended(server, format, "upgrade");
    expect([status, asked]).toEqual([0, ["daemon-reload"]]);
    expect(stderr).toContain("svc-proxy.service was not restarted: it serves on as the version before");
    expect(stderr).toMatch(/ then: systemctl restart svc-proxy\n$/);
  });

  test("leave a server running that is masked by now, and enable nothing that is", () => {
    boot();
    units({ [unit]: ["masked", "active"], [socket]: ["masked", "inactive"] });
    for (const occasion of ["installation", "upgrade"] as const) expect(run(occasion)).toEqual(["daemon-reload"]);
    run("before a removal");
    run("after a removal");
    expect(run("installation after a removal")).toEqual(["daemon-reload"]);
  });

  test("leave the package installed, and say where to look, when the server does not come up again", () => {
    boot();
    runs();
    failing("try-restart");
    const { status, stderr } = ended(server, format, "upgrade");
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: "svc-proxy.service did not start again; the reason is in: journalctl -u svc-proxy\n",
    });
  });

  test.each(["before an upgrade", "after an upgrade"] as const)("touch nothing %s", (occasion) => {
    boot();
    runs({ [socket]: ["enabled", "active"] });
    expect(run(occasion)).toEqual([]);
  });

  test("stop the server at a removal, and leave nothing of it", () => {
    boot();
    mkdirSync(join(place, "var/lib/svc-proxy"), { recursive: true });
    writeFileSync(join(place, "var/lib/svc-proxy/proxies.env"), "");
    expect(run("before a removal")).toEqual([`disable --quiet ${socket} ${unit}`, `stop ${socket} ${unit}`]);
    expect(run("after a removal")).toEqual(["daemon-reload", `reset-failed ${socket} ${unit}`]);
    if (format === "deb") run("purge");
    expect(readdirSync(join(place, "etc"))).toEqual([]);
    expect(readdirSync(join(place, "run")).toSorted()).toEqual(["svc-upgrade", "systemd"]);
    expect(readdirSync(join(place, "var/lib"), { recursive: true })).toEqual(["systemd", "systemd/timers"]);
  });
});

describe("svc-proxy that comes back after its removal", () => {
  const [unit, socket] = ["svc-proxy.service", "svc-proxy.socket"];
  const comesBack = (format: Format): readonly string[] => {
    units({ [unit]: ["enabled", "active"], [socket]: ["enabled", "active"] });
    ran(server, format, "before a removal");
    ran(server, format, "after a removal");
    units({ [unit]: ["disabled", "inactive"], [socket]: ["disabled", "inactive"] });
    return ran(server, format, "installation after a removal");
  };

  test("is enabled and started again where it was on Debian, the socket first", () => {
    boot();
    const again = [socket, unit].flatMap((name) => [`enable --quiet ${name}`, `start ${name}`]);
    expect(comesBack("deb")).toEqual(["daemon-reload", ...again]);
    expect(ran(server, "deb", "upgrade")).toEqual(["daemon-reload"]);
  });

  test("is left to the host's presets on the others", () => {
    boot();
    expect(comesBack("rpm")).toEqual([`preset --quiet ${socket}`, `preset --quiet ${unit}`, "daemon-reload"]);
  });
});

test("svc-proxy gives its port back before a version comes that may not know that it is held, and at no upgrade", () => {
  boot();
  units({ "svc-proxy.service": ["enabled", "active"], "svc-proxy.socket": ["enabled", "active"] });
  expect(ran(server, "deb", "before a downgrade")).toEqual(["stop svc-proxy.socket"]);
  // There the older version's files lie in place already.
  rmSync(join(place, "usr/lib/systemd/system/svc-proxy.socket"));
  expect(ran(server, "rpm", "after a downgrade")).toEqual(["stop svc-proxy.socket", "restart svc-proxy.service"]);
});

describe.each(formats)("the scripts of svc-ent's %s, below a scratch root and with a stand-in for systemctl", (format) => {
  const run = (occasion: Occasion): readonly string[] => ran(cluster, format, occasion);
  const unit = "svc.service";
  const stateFolder = (): string => join(place, "var/lib/svc");
  const configured = (): void => writeFileSync(join(place, "etc/svc.yaml"), "auth_service: {}\n");

  beforeEach(() => units({ [unit]: ["disabled", "inactive"] }));

  test("enable and start nothing on a host without a configuration, and make the user's folders for it alone", () => {
    boot();
    expect(run("installation")).toEqual(["daemon-reload"]);
    expect(readFileSync(join(place, "install.log"), "utf8")).toBe(
      `-d -m 0700 -o svc -g svc ${stateFolder()}\n-d -m 0755 -o svc -g svc ${join(place, "etc/svc-upgrade.d")}\n`,
    );
    run("upgrade");
    expect(readFileSync(join(place, "install.log"), "utf8").split("\n")).toHaveLength(3);
  });

  test("leave the folder of the schedule to whose it is", () => {
    boot();
    mkdirSync(join(place, "etc/svc-upgrade.d"));
    run("installation");
    expect(readFileSync(join(place, "install.log"), "utf8")).not.toContain("svc-upgrade.d");
  });

  test("start what the preset enables where there is a configuration, and only at the first installation", () => {
    boot();
    configured();
    units({ [unit]: ["enabled", "inactive"] });
    expect(run("installation")).toEqual([`preset --quiet ${unit}`, "daemon-reload", `start ${unit}`]);
    expect(run("upgrade")).toEqual(["daemon-reload"]);
    units({ [unit]: ["disabled", "inactive"] });
    expect(run("installation")).toEqual([`preset --quiet ${unit}`, "daemon-reload"]);
  });

  test("leave the port to svc-proxy where that serves the configuration", () => {
    boot();
    configured();
    units({ [unit]: ["disabled", "inactive"], "svc-proxy.service": ["enabled", "active"] });
    expect(run("installation")).toEqual(["daemon-reload"]);
  });

  test("start nothing on a host whose systemd does not run, and forget the unit at a removal", () => {
    configured();
    expect(run("installation")).toEqual([`preset --quiet ${unit}`]);
    expect(run("upgrade")).toEqual([]);
    expect(run("before a removal")).toEqual([`disable --quiet ${unit}`]);
    expect(run("after a removal")).toEqual([]);
  });

  test("restart the service at an upgrade only where it runs, once this version has taken the configuration", () => {
    boot();
    configured();
    units({ [unit]: ["enabled", "active"] });
    expect(run("upgrade")).toEqual(["daemon-reload", `try-restart ${unit}`]);
    expect(readFileSync(join(place, "svc.log"), "utf8")).toBe("check\n");
  });

  test("let the service go on where this version refuses the configuration, and say what to do", () => {
    boot();
    units({ [unit]: ["enabled", "active"] });
    failing("check");
    const { status, stderr, asked } = ended(cluster, format, "upgrade");
    expect([status, asked]).toEqual([0, ["daemon-reload"]]);
    expect(stderr).toMatch(/^svc\.service was not restarted: it goes on as the version before.*\n.* systemctl restart svc\n$/);
  });

  test.each(["start", "try-restart"] as const)("leave the package installed where a %s fails, and say where to look", (what) => {
    boot();
    configured();
    units({ [unit]: ["enabled", what === "start" ? "inactive" : "active"] });
    failing(what);
    const { status, stderr } = ended(cluster, format, what === "start" ? "installation" : "upgrade");
    expect([status, stderr]).toEqual([0, expect.stringMatching(/; the reason is in: journalctl -u svc\n$/)]);
  });

  test("leave a service running that is masked by now, and enable nothing that is", () => {
    boot();
    configured();
    units({ [unit]: ["masked", "active"] });
    for (const occasion of ["installation", "upgrade"] as const) expect(run(occasion)).toEqual(["daemon-reload"]);
  });

  test("start nothing without the user, or as root by another name, and say what to type", () => {
    boot();
    configured();
    units({ [unit]: ["enabled", "active"] });
    failing("account");
    const without = ended(cluster, format, "upgrade");
    expect([without.status, without.asked]).toEqual([0, ["daemon-reload"]]);
    expect(without.stderr).toContain("systemd-sysusers svc-ent.conf && systemctl start svc\n");
    writeFileSync(join(place, "passwd"), "svc:x:0:0::/root:/bin/sh\n");
    const roots = ended(cluster, format, "installation");
    expect([roots.status, roots.asked]).toEqual([0, [`preset --quiet ${unit}`, "daemon-reload"]]);
    expect(roots.stderr).toContain("The account svc of this host has uid 0");
  });

  test.each(["before an upgrade", "after an upgrade"] as const)("touch nothing %s", (occasion) => {
    boot();
    units({ [unit]: ["enabled", "active"] });
    expect(run(occasion)).toEqual([]);
  });

  test("stop the service at a removal, and leave the cluster", () => {
    boot();
    units({ [unit]: ["enabled", "active"] });
    mkdirSync(stateFolder());
    writeFileSync(join(stateFolder(), "cluster.db"), "");
    writeFileSync(join(place, "run/svc.pid"), "");
    expect(run("before a removal")).toEqual([`disable --quiet ${unit}`, `stop ${unit}`]);
    expect(run("after a removal")).toEqual(["daemon-reload", `reset-failed ${unit}`]);
    expect(existsSync(join(place, "run/svc.pid"))).toBe(false);
    expect(readdirSync(stateFolder())).toEqual(["cluster.db"]);
  });
});

describe("svc-ent that comes back after its removal", () => {
  test.each(["enabled", "disabled"] as const)("is %s on Debian where it was so", (state) => {
    boot();
    units({ "svc.service": [state, "active"] });
    ran(cluster, "deb", "before a removal");
    ran(cluster, "deb", "after a removal");
    units({ "svc.service": ["disabled", "inactive"] });
    const again = state === "enabled" ? ["enable --quiet svc.service", "start svc.service"] : [];
    expect(ran(cluster, "deb", "installation after a removal")).toEqual(["daemon-reload", ...again]);
    expect(readdirSync(join(place, "var/lib"))).toEqual(["svc", "systemd"]);
  });
});

describe("a purge of svc-ent's deb", () => {
  const folder = (): string => join(place, "var/lib/svc");

  describe("of a host with a schedule", () => {
    const schedule = (): string => join(place, "etc/svc-upgrade.d/schedule");
    beforeEach(() => {
      mkdirSync(dirname(schedule()));
      writeFileSync(schedule(), "nop\n");
      writeFileSync(join(place, "owner"), "svc\n");
    });

    test("takes it away, with its folder unless there is more in it", () => {
      ran(cluster, "deb", "purge");
      expect(readdirSync(join(place, "etc"))).toEqual([]);
      mkdirSync(dirname(schedule()));
      writeFileSync(join(dirname(schedule()), "thesis"), "");
      ran(cluster, "deb", "purge");
      expect(readdirSync(dirname(schedule()))).toEqual(["thesis"]);
    });

    test.each(["is installed, or was not purged", "belongs to another user"] as const)(
      "leaves it where the updater's folder %s",
      (what) => {
        if (what === "belongs to another user") writeFileSync(join(place, "owner"), "root\n");
        else mkdirSync(join(place, "var/lib/svc-upgrade"));
        ran(cluster, "deb", "purge");
        expect(existsSync(schedule())).toBe(true);
      },
    );
  });

  test("takes an empty folder away", () => {
    mkdirSync(folder());
    expect(ran(cluster, "deb", "purge")).toEqual([]);
    expect(readdirSync(join(place, "var/lib"))).toEqual(["systemd"]);
  });

  test("leaves the cluster, and what a link leads to, and says so", () => {
    mkdirSync(join(place, "elsewhere"));
    for (const make of [
      () => {
        mkdirSync(folder());
        writeFileSync(join(folder(), "cluster.db"), "kept");
      },
      () => symlinkSync(join(place, "elsewhere"), folder()),
    ]) {
      make();
      const { status, stderr } = ended(cluster, "deb", "purge");
      expect([status, stderr]).toEqual([0, expect.stringMatching(/^svc-ent leaves .*\/var\/lib\/svc, which holds the cluster/)]);
      expect(existsSync(folder())).toBe(true);
      rmSync(folder(), { recursive: true });
    }
    expect(existsSync(join(place, "elsewhere"))).toBe(true);
  });
});

/** Gives what systemctl was asked for. */
function ran(product: Product, format: Format, occasion: Occasion): readonly string[] {
  const { status, stderr, asked } = ended(product, format, occasion);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return asked;
}

type Ended = { readonly status: number | null; readonly stderr: string; readonly asked: readonly string[] };

function ended(product: Product, format: Format, occasion: Occasion): Ended {
  const { script, argv } = (occasions[format] as Readonly<Record<string, Call>>)[occasion]!;
  const text = packageScript(product, format, script as never).replaceAll(
    /(?<![\w/-])\/(?=(etc|run|var|usr\/lib)\/)/g,
    `${place}/`,
  );
  const env = { PATH: `${place}:${process.env["PATH"]}` };
  const { status, stderr } = spawnSync("/bin/sh", ["-c", text, script, ...argv], { encoding: "utf8", env });
  const log = join(place, "systemctl.log");
  const asked = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
  rmSync(log, { force: true });
  return { status, stderr, asked };
}

function boot(): void {
  mkdirSync(join(place, "run/systemd/system"), { recursive: true });
  mkdirSync(join(place, "usr/lib/systemd/system"), { recursive: true });
  writeFileSync(join(place, "usr/lib/systemd/system/svc-proxy.socket"), "");
}

type Units = Readonly<Record<string, readonly [enabled: string, active: string]>>;

/** What systemctl tells of units; what is not named is static and does not run. */
function units(told: Units): void {
  const lines = Object.entries(told).map(([name, states]) => `${name} ${states.join(" ")}\n`);
  writeFileSync(join(place, "units"), lines.join(""));
}

/** From now on this does not succeed. */
function failing(what: "start" | "restart" | "try-restart" | "check" | "account"): void {
  writeFileSync(join(place, "failing"), what);
}

/**
 * systemctl answers questions out of a file and notes what it is told to do. The accounts of the host lie in a
 * file, to which systemd-sysusers adds the one that is missing.
 */
function standIns(): void {
  const checks = `echo "$@" >>"$0.log"; [ "$(cat "$(dirname "$0")/failing" 2>/dev/null)" != check ]`;
  const programs = {
    systemctl: `here=$(dirname "$0")
[ "$2" = --quiet ] && unit=$3 || unit=$2
known=$(grep "^$unit " "$here/units" || echo "$unit static inactive")
enabled=$(echo "$known" | cut -d' ' -f2) active=$(echo "$known" | cut -d' ' -f3)
case "$*" in
is-enabled*) [ "$2" = --quiet ] || echo "$enabled"; [ "$enabled" = enabled ] ;;
is-active*) [ "$2" = --quiet ] || echo "\${active:-inactive}"; [ "$active" = active ] ;;
*) echo "$@" >>"$0.log"; [ "$1" != "$(cat "$here/failing" 2>/dev/null)" ] ;;
esac`,
    "systemd-sysusers": `here=$(dirname "$0")
[ "$(cat "$here/failing" 2>/dev/null)" != account ] || exit 1
case "$*" in svc-upgrade.conf) name=svc-upgrade ;; svc-ent.conf) name=svc ;; *) exit 1 ;; esac
grep -qs "^$name:" "$here/passwd" || echo "$name:x:999:999:it:/:/usr/sbin/nologin" >>"$here/passwd"`,
    // Only root has a user svc to give a folder to, and only on a host with the package.
    install: `echo "$@" >>"$0.log"; shift 7; mkdir -p "$@"`,
    id: "echo svc",
    stat: `cat "$(dirname "$0")/owner"`,
    getent: `[ "$1" = passwd ] || exec /usr/bin/getent "$@"
grep -s "^$2:" "$(dirname "$0")/passwd" || exit 2`,
    "svc-proxy": checks,
    svc: checks,
    "dpkg-query": "echo 0.1.0",
  };
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(place, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

test.each([
  { told: "systemd 246 (246.6-1)", status: 1 },
  { told: "systemd 247 (247.3-7)", status: 0 },
  { told: "systemd 257 (257.8-1~deb13u2)", status: 0 },
  { told: "something else", status: 1 },
])("each deb's preinst ends with $status where systemctl tells $told", ({ told, status }) => {
  writeFileSync(join(place, "systemctl"), `#!/bin/sh\necho '${told}'\n`, { mode: 0o755 });
  const env = { PATH: `${place}:${process.env["PATH"]}` };
  for (const product of products) {
    const text = packageScript(product, "deb", "preinst");
    const run = spawnSync("/bin/sh", ["-c", text, "preinst", "install"], { encoding: "utf8", env });
    const refusal = `${product.packageName} cannot be installed here: it needs systemd 247 or newer, `;
    expect(run.status).toBe(status);
    expect(run.stderr).toMatch(status === 0 ? /^$/ : new RegExp(`^${refusal}.*\\.\\n$`));
  }
});
