import { hintsOn } from "./hosts.ts";

hintsOn("bookworm");
