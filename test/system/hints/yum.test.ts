import { hintsOn } from "./hosts.ts";

hintsOn("yum");
