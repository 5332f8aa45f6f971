import type { FaultCode } from "../fault/table.ts";

/** The kernel's words, which every manager passes on. */
export const readOnly: { readonly says: RegExp; readonly code: FaultCode; readonly hint: () => string } = {
  says: /Read-only file system/,
  code: "host-unsupported",
  hint: () =>
    "see with `findmnt --target /usr` why nothing can be written there; such a host is upgraded as a whole, for example by `transactional-update`",
};
