/**
 * The whole environment of every call of rpm and of what works with it: the locale is fixed because the output is read, and what
 * the host sets for everything that systemd starts would win over it.
 */
export const rpmEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C.UTF-8",
  LANGUAGE: "",
};
