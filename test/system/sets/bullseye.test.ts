import { movesLocked } from "./scenarios.ts";

movesLocked("bullseye");
