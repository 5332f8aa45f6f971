import { accessSync, constants, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { shellWord } from "../../rules/text/shell-word.ts";
import type { ServingProgram } from "../server-rules/remarks.ts";

const mostLinks = 8;

/** Makes the command that lets the unit read these files. Call it as the unit's user, because the result depends on who asks. */
export function letRead(paths: readonly string[], program: ServingProgram): string {
  const commands = paths.flatMap((path) => openingOf(path, program));
  const [hidden] = commands.filter((command) => command.startsWith("sudo install -D "));
  if (hidden !== undefined) return `\`${hidden}\`; name that file instead: the unit sees nothing of where this one is`;
  if (commands.length === 0) return `see who may read it: \`namei -l ${paths.map(shellWord).join(" ")}\``;
  return `let the unit read it: \`${[...new Set(commands)].join(" && ")}\``;
}

function openingOf(path: string, program: ServingProgram): readonly string[] {
  const closed = closedAt(path, mostLinks);
  if (closed === undefined) return [];
  const { mode, gid } = statSync(closed.path);
  // systemd's ProtectHome= covers a directory with an empty one of mode 000.
  if ((mode & 0o777) === 0)
    return [`sudo install -D -m 0600 ${shellWord(path)} ${shellWord(join("/etc/svc", path.slice(path.lastIndexOf("/"))))}`];
  // The unit must not join root's group, so a file of that group gets a new group.
  const group = gid === 0 ? `${program}-files` : groupName(gid);
  const word = shellWord(closed.path);
  const right = closed.wants === "x" ? 0o010 : 0o040;
  const isMember = gid !== 0 && (process.getgroups?.() ?? []).includes(gid);
  return [
    ...(gid === 0 ? [`sudo groupadd --system --force ${group}`, `sudo chgrp ${group} ${word}`] : []),
    ...((mode & right) !== 0 && gid !== 0 ? [] : [`sudo chmod g+${closed.wants} ${word}`]),
    ...(isMember ? [] : joining(group, program)),
  ];
}

function joining(group: string, program: ServingProgram): readonly string[] {
  const dropIns = `/etc/systemd/system/${program}.service.d`;
  return [
    `sudo mkdir -p ${dropIns}`,
    `printf '[Service]\\nSupplementaryGroups=${group}\\n' | sudo tee ${dropIns}/group-${group}.conf`,
    "sudo systemctl daemon-reload",
  ];
}

type Closed = { readonly path: string; readonly wants: "r" | "x" };

/** The first directory of the path that this user may not enter, or else the file itself. */
function closedAt(path: string, links: number): Closed | undefined {
  const folders = [dirname(path)];
  while (folders[0] !== "/" && folders[0] !== undefined) folders.unshift(dirname(folders[0]));
  const shut = folders.find((folder) => !isAllowed(folder, constants.X_OK));
  if (shut !== undefined) return follow(shut, links) ?? { path: shut, wants: "x" };
  return follow(path, links) ?? { path, wants: "r" };
}

/** Follows a link, because the rights of its target decide. */
function follow(path: string, links: number): Closed | undefined {
  const target = linkAt(path);
  return target === undefined || links === 0 ? undefined : closedAt(resolve(dirname(path), target), links - 1);
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function isAllowed(path: string, right: number): boolean {
  try {
    accessSync(path, right);
    return true;
  } catch {
    return false;
  }
}

/** The group's name; its number if it has no name, which systemd takes too. */
function groupName(gid: number): string {
  const row = readFileSync("/etc/group", "utf8")
    .split("\n")
    .find((line) => line.split(":")[2] === String(gid));
  return row?.split(":")[0] ?? String(gid);
}
