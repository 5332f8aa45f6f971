/** Whether the package may be installed several times, as kernels and keys are. */
export function mayBeSeveral(name: string): boolean {
  return /^(?:kernel|gpg-pubkey)(?:-|$)/.test(name);
}
