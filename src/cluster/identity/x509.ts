import type * as Library from "@peculiar/x509";

/** Loading takes a tenth of a second and 15 MiB, so it happens only to issue or request a certificate. */
export async function loadX509(): Promise<typeof Library> {
  // The library requires it before anything else.
  await import("reflect-metadata");
  return await import("@peculiar/x509");
}

export const signing: { readonly name: "ECDSA"; readonly hash: "SHA-256" } = { name: "ECDSA", hash: "SHA-256" };
