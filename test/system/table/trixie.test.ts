import { column } from "./column.ts";

column("trixie");
