/**
 * The whole environment of every call of rpm and of the managers above it. The locale is fixed because we read the output, and a setting for all
 * units would change it.
 */
export const rpmEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C.UTF-8",
  LANGUAGE: "",
};
