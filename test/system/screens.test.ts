import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { blockIn, updateBlock } from "../documents.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { outdatedHost, schedule, shippedTimer, withUpdater } from "./updater.ts";

type Screens = Readonly<Record<"status" | "doctor" | "run", string>>;

/** What an administrator sees on a real host: it waits for its window, one thing is amiss, and then it is told to go. */
async function takeScreens(stage: Stage): Promise<Screens> {
  const { host, versions } = stage;
  await outdatedHost(stage);
  await shippedTimer(host);
  await versions.authority.trustIn(host);
  await host.run(["rm", "/etc/svc-upgrade/50-test.yaml"]);
  await schedule(host, "closed");
  await host.mustRun(["svc-upgrade", "enroll", "--endpoint", versions.httpsEndpoint]);
  await host.run(["svc-upgrade", "run"]);
  await host.mustRun(["systemctl", "disable", "--now", "--quiet", "svc-upgrade.timer"]);
  const doctor = (await host.run(["svc-upgrade", "doctor"])).stdout;
  await host.mustRun(["systemctl", "enable", "--now", "--quiet", "svc-upgrade.timer"]);
  const status = await host.mustRun(["svc-upgrade", "status"], { user: "ordinary" });
  const run = await host.mustRun(["script", "--quiet", "--return", "--command", "svc-upgrade run --now", "/dev/null"], {
    env: { TERM: "xterm" },
  });
  const address = new URL(versions.httpsEndpoint).host;
  const shown = (text: string): string =>
    text.replaceAll(address, "proxy.example.com").replaceAll("outer.test", "proxy.example.com");
  return {
    status: `$ svc-upgrade status\n${shown(status)}`,
    doctor: `$ sudo svc-upgrade doctor\n${shown(doctor)}`,
    run: `$ sudo svc-upgrade run --now\n${shown(onScreen(run))}`,
  };
}

/** Of a line that was written over, what was written last; without colour. */
function onScreen(typescript: string): string {
  const lines = typescript.replaceAll("\r\n", "\n").trimEnd().split("\n");
  return `${lines.map((line) => stripVTControlCharacters(line.split("\r").at(-1) ?? "")).join("\n")}\n`;
}

/** What differs from host to host and from one minute to the next. */
function timeless(screen: string): string {
  return (
    screen
      .replace(/\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?/g, "DATE")
      .replace(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, "Day")
      // A window that ends on the next day, for whoever looks two hours before midnight.
      .replace(/–Day (?:DATE )?/g, "–")
      .replace(/\b\d+\.\d+\.\d+\.\d+\b/g, "ADDRESS")
      .replace(/\b\d\d:\d\d\b/g, "TIME")
      .replace(/\b\d+(?:\.\d)? (?:s|seconds?|minutes?|GB|MB)\b/g, "N")
      .replace(/(?:process|seconds=)\s*\d+/g, "N")
      .replace(/\s+/g, " ")
  );
}

function indented(screen: string): string {
  return `\n${screen.trimEnd().replace(/^(?=.)/gm, "    ")}\n\n`;
}

/** `npm run screens` writes them again. */
test(
  "the documents show the screens as they are",
  scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
    const screens = await takeScreens(stage);
    for (const [name, screen] of Object.entries(screens)) {
      updateBlock(name, indented(screen));
      expect(timeless(blockIn(name)), `the screen of ${name}: npm run screens`).toBe(timeless(indented(screen)));
    }
  }),
);
