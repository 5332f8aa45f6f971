/** apt reads only these, and only in lower case. */
const proxyVariables: readonly string[] = ["http_proxy", "https_proxy", "no_proxy"];

/**
 * The whole environment of every apt and dpkg call. The locale is fixed because the output is read;
 * all that could ask a question, or restart services behind our back, is told not to.
 */
export function aptEnvironment(
  proxies: Readonly<Record<string, string>>,
  configFile: string | undefined,
): Readonly<Record<string, string>> {
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    LC_ALL: "C.UTF-8",
    DEBIAN_FRONTEND: "noninteractive",
    DEBIAN_PRIORITY: "critical",
    // Without apt-utils debconf says on each call that it asks its questions later; it has none to ask here.
    DEBCONF_NOWARNINGS: "yes",
    APT_LISTCHANGES_FRONTEND: "none",
    NEEDRESTART_SUSPEND: "1",
    UCF_FORCE_CONFFOLD: "1",
    ...Object.fromEntries(Object.entries(proxies).filter(([key]) => proxyVariables.includes(key))),
    ...(configFile === undefined ? {} : { APT_CONFIG: configFile }),
  };
}
