import type * as Library from "@peculiar/x509";

/** A tenth of a second and 15 MiB: only what issues certificates or asks for one loads it, when it does. */
export async function loadX509(): Promise<typeof Library> {
  // The library asks for it by name before anything else.
  await import("reflect-metadata");
  return await import("@peculiar/x509");
}

export const signing: { readonly name: "ECDSA"; readonly hash: "SHA-256" } = { name: "ECDSA", hash: "SHA-256" };
