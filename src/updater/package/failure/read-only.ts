import type { FaultCode } from "../../../rules/fault/table.ts";

/** The kernel's message for a read-only file system, which every manager prints. */
export const readOnly: { readonly says: RegExp; readonly code: FaultCode; readonly hint: () => string } = {
  says: /Read-only file system/,
  code: "read-only",
  hint: () =>
    "see with `findmnt --target /usr` why nothing can be written there; once it can, a later pass goes on by itself; a host that is always so is upgraded as a whole, for example by `transactional-update`",
};
