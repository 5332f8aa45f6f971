import { column } from "./column.ts";

column("yum");
