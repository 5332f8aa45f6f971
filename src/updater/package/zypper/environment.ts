import { rpmEnvironment } from "../rpm/environment.ts";

/** Another run in its last seconds is waited for; a longer one is left to the next pass. */
const lockSeconds = 60;

/** No proxy listens there. */
const nowhere = "http://127.0.0.1:1";

/**
 * zypper takes its lock even to answer a question. In this way it needs none, and cannot change anything. Where a repository's lists are
 * missing it fetches them in spite of `--no-refresh`; a question must not reach the network, nor ask DNS for a name.
 */
export const askEnvironment: Readonly<Record<string, string>> = {
  ...rpmEnvironment,
  ZYPP_READONLY_HACK: "1",
  http_proxy: nowhere,
  https_proxy: nowhere,
  no_proxy: "",
  NO_PROXY: "",
};

export const actEnvironment: Readonly<Record<string, string>> = { ...rpmEnvironment, ZYPP_LOCK_TIMEOUT: String(lockSeconds) };
