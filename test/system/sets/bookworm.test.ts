import { besidesOthers, setsOn } from "./scenarios.ts";

setsOn("bookworm");
besidesOthers("bookworm");
