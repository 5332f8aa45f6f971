import { column } from "./column.ts";

column("zypper");
