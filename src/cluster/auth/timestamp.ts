import { timestampFromMs, type Timestamp } from "@bufbuild/protobuf/wkt";
import type { UnixSeconds } from "../../rules/window/window.ts";

export function timestamp(instant: UnixSeconds): Timestamp {
  return timestampFromMs(instant * 1000);
}
