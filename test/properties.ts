import { configureGlobal } from "fast-check";
import { givenSeed } from "./given-seed.ts";

/** For every test file. */
configureGlobal({ seed: givenSeed() });
