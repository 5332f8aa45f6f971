import { hintsOn } from "./hosts.ts";

hintsOn("zypper");
