/** The environment of every systemd tool that is called: its output is read, so locale, pager and colours are fixed. */
export const toolEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C.UTF-8",
  SYSTEMD_PAGER: "",
  SYSTEMD_COLORS: "0",
};
