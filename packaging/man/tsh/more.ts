import type { More } from "../commands.ts";

export const more: More = {
  login: "What is not said is as it was the last time.",
  status:
    "Asks the cluster. Where it cannot be reached, what was last known is shown, marked, and the exit status is that of the fault.",
  logout: "The key goes in any case; where the cluster cannot be told, it is said how to have the session out of the lists.",
  invite:
    "Shows for whom the link is, and the secret of the one-time codes as a QR code, as text and as a URI; then asks for a password, and for a code that the app makes.",
  "--ca-file": "In PEM. There is no way to go on without a certificate that is trusted.",
  "--password-file": "A file that others may read is refused.",
};
