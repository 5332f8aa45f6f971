import { statSync } from "node:fs";
import { dirname } from "node:path";
import { reach } from "../../machine/files/foreign-file.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import type { Credential, NotifySettings } from "../../rules/settings/settings.ts";
import { notifyPath } from "../unit/notify-command.ts";
import { ok, warning, type Finding } from "./check.ts";
import { needsRoot } from "./finding-of-fault.ts";
import { isUnseen, lookAt } from "./look-at.ts";

/** Whether a dynamic user can run notify.command, and systemd can give it its credentials. */
export function examineNotify({ command: [program = ""], credentials }: NotifySettings): Finding {
  const place = program.includes("/") ? program : notifyPath.map((directory) => `${directory}/${program}`).find(isThere);
  const findings = [judgeProgram(program, place), ...credentials.map(judgeCredential)];
  const wrong = findings.filter(({ verdict }) => verdict !== "ok");
  const worst = wrong.find(({ verdict }) => verdict === "failed") ?? wrong[0];
  if (worst === undefined) return ok(`${place ?? program} is told of events; to try it: sudo svc-upgrade notify`);
  return { ...worst, told: wrong.map(({ told }) => told).join("; ") };
}

/** A warning only, because upgrades work without notifications. */
function unheard(told: string, fix: string): Finding {
  return warning(`${told}: notifications do not arrive`, fix);
}

function judgeProgram(program: string, place: string | undefined): Finding {
  const mode = place === undefined ? undefined : reach(place, "follow", (path) => statSync(path).mode);
  if (place === undefined || typeof mode !== "number")
    return unheard(`notify.command names ${program}, which is not there`, "svc-upgrade config");
  const quoted = shellWord(place);
  if ((mode & 0o001) === 0) {
    return unheard(
      `${place} is not for every user to execute, and notify.command runs as one of its own`,
      `sudo chmod a+rx ${quoted}`,
    );
  }
  const closed = waysTo(place).find((directory) => (statSync(directory).mode & 0o001) === 0 || hidden.test(`${directory}/`));
  if (closed === undefined) return ok("");
  return unheard(
    `${place} lies in ${closed}, where notify.command's own user does not come to`,
    `sudo install -m 0755 ${quoted} /usr/local/bin/`,
  );
}

const hidden = /^\/(?:home|root|run\/user)\//;

/** The directories above a path, from the root down. */
function waysTo(path: string): readonly string[] {
  const directory = dirname(path);
  return directory === path ? [] : [...waysTo(directory), directory];
}

function judgeCredential({ name, file }: Credential): Finding {
  const looked = lookAt(file);
  const quoted = shellWord(file);
  if (looked.kind === "denied") return needsRoot(`${file}, which notify.credentials names, may not be looked at by this user`);
  if (looked.kind === "missing")
    return unheard(
      `${file}, which notify.credentials names for ${name}, is not there`,
      `sudo install -m 0600 /dev/stdin ${quoted}`,
    );
  if (isUnseen(looked) || looked.kind === "link" || isDirectory(file))
    return unheard(`${file}, which notify.credentials names, is no file that can be looked at`, `ls -l ${quoted}`);
  if (looked.uid !== 0)
    return unheard(`${file} belongs to user ${looked.uid}, and should be root's`, `sudo chown root: ${quoted}`);
  if ((looked.mode & 0o077) === 0) return ok("");
  return unheard(`${file} may be read by others (mode ${looked.mode.toString(8)})`, `sudo chmod 600 ${quoted}`);
}

function isDirectory(path: string): boolean {
  return reach(path, "follow", (place) => statSync(place).isDirectory()) === true;
}

function isThere(path: string): boolean {
  return typeof reach(path, "follow", (place) => statSync(place).mode) === "number";
}
