declare const artifactBrand: unique symbol;

/** The installed package version on a host, an image's digest elsewhere. It is compared and shown, never parsed. */
export type Artifact = string & { readonly [artifactBrand]: true };
