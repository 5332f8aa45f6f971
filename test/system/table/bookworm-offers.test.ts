import { column } from "./column.ts";

column("bookworm", "offers");
