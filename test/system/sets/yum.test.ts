import { setsOn } from "./scenarios.ts";

setsOn("yum");
