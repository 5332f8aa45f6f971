import { spawn } from "node:child_process";

/** Opens the address if there is a screen. A failure is no fault: the address was printed. */
export function openBrowser(url: string, environment: Readonly<Record<string, string | undefined>>): void {
  const isMac = process.platform === "darwin";
  if (!isMac && (environment["DISPLAY"] ?? environment["WAYLAND_DISPLAY"] ?? "") === "") return;
  const child = spawn(isMac ? "open" : "xdg-open", [url], { detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
}
