declare const artifactBrand: unique symbol;

/** The package version on a host, or an image's digest elsewhere. It is compared and shown, but never parsed. */
export type Artifact = string & { readonly [artifactBrand]: true };
