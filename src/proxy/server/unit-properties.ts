/**
 * Properties that do not decide what the program may read: how it is started, watched and stopped, its output, and its own folders, which belong to
 * the running instance.
 */
const ofRunning =
  /^(?:Type|ExitType|Exec\w+|Restart\w*|SuccessExitStatus|NotifyAccess|Watchdog\w+|Timeout\w+|Kill\w+|\w+KillSignal|SendSIG\w+|ReloadSignal|RemainAfterExit|GuessMainPID|PIDFile|BusName|Sockets|FileDescriptorStore\w+|NonBlocking|RootDirectoryStartOnly|OOMPolicy|RuntimeMax\w+|Standard\w+|Syslog\w+|Log\w+|TTY\w+|(?:Runtime|State|Cache|Logs|Configuration)Directory\w*)$/;

/** Takes from the output of `systemctl cat` the properties for a second unit with the same rights. */
export function propertiesFrom(unitText: string): readonly string[] {
  return serviceLines(unitText).filter((line) => !ofRunning.test(line.slice(0, line.indexOf("="))));
}

/** The files of the unit's step that keeps its proxies: the file that the step reads, and the file that systemd reads afterwards. */
export function keptProxiesOf(unitText: string): { readonly from: string; readonly to: string } | undefined {
  const starts = serviceLines(unitText).filter((line) => line.startsWith("ExecStartPre="));
  const [, from, to] = starts.map((line) => / keep-proxies (\S+) (\S+)$/.exec(line)).find((found) => found !== null) ?? [];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** `KEY=VALUE`, in the order of the files. */
function serviceLines(unitText: string): readonly string[] {
  const found: string[] = [];
  let section = "";
  let begun = "";
  for (const line of unitText.split("\n")) {
    if (/^\s*[#;]/.test(line)) continue;
    const whole = `${begun}${line.trim()}`;
    begun = whole.endsWith("\\") ? `${whole.slice(0, -1)} ` : "";
    if (begun !== "") continue;
    section = /^\[(.*)\]$/.exec(whole)?.[1] ?? section;
    const [, key, value = ""] = /^(\w+)\s*=\s*(.*)$/.exec(whole) ?? [];
    if (section === "Service" && key !== undefined) found.push(`${key}=${value}`);
  }
  return found;
}

/** The words of a service's command, from `systemctl show --property=ExecStart`. */
export function commandOf(shown: string): readonly string[] {
  const words = /argv\[\]=(.*?) ; ignore_errors=/.exec(shown)?.[1];
  return words === undefined ? [] : words.split(" ");
}
