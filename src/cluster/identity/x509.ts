import type * as Library from "@peculiar/x509";

/** Loads the library only to issue or request a certificate, because that takes a tenth of a second and 15 MiB. */
export async function loadX509(): Promise<typeof Library> {
  // The library needs this to be loaded first.
  await import("reflect-metadata");
  return await import("@peculiar/x509");
}

export const signing: { readonly name: "ECDSA"; readonly hash: "SHA-256" } = { name: "ECDSA", hash: "SHA-256" };
