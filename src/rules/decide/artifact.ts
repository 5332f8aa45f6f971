declare const artifactBrand: unique symbol;

/** What is installed: on a host the package's version, elsewhere an image's digest. It is compared and told, never read. */
export type Artifact = string & { readonly [artifactBrand]: true };
