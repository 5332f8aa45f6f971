import { column } from "./column.ts";

column("bookworm", "moves");
