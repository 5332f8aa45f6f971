import { rpmEnvironment } from "../rpm/environment.ts";

/** Another run in its last seconds is waited for; a longer one is left to the next pass. */
const lockSeconds = 60;

/** zypper takes its lock even to answer a question. In this way it needs none, and cannot change anything. */
export const askEnvironment: Readonly<Record<string, string>> = { ...rpmEnvironment, ZYPP_READONLY_HACK: "1" };

export const actEnvironment: Readonly<Record<string, string>> = { ...rpmEnvironment, ZYPP_LOCK_TIMEOUT: String(lockSeconds) };
