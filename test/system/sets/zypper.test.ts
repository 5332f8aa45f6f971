import { setsOn } from "./scenarios.ts";

setsOn("zypper");
