/** Kernels and keys are meant to be installed several times. */
export function mayBeSeveral(name: string): boolean {
  return /^(?:kernel|gpg-pubkey)(?:-|$)/.test(name);
}
