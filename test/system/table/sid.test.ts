import { isNextAskedFor } from "../next.ts";
import { column } from "./column.ts";

/** The next Debian, before each release. */
const how = "SID=1 npm run test:system -- test/system/table/sid.test.ts";

column("sid", isNextAskedFor ? "whole" : { leftOut: `run before each release, by ${how}` });
