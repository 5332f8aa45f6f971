/** Kernels and keys stand beside each other by intention. */
export function mayBeSeveral(name: string): boolean {
  return /^(?:kernel|gpg-pubkey)(?:-|$)/.test(name);
}
