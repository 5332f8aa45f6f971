import { column } from "./column.ts";

column("bullseye");
