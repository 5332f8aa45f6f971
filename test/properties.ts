import { configureGlobal } from "fast-check";

/** For every test file. */
configureGlobal({ seed: Number(process.env["SEED"] ?? "1") });
