import { createHash, createPrivateKey, createPublicKey, randomBytes } from "node:crypto";
import type { JWTPayload } from "jose";
import { authServerName, type ClusterId } from "./names.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/**
 * A call that a person proves: RFC 9449 (DPoP) with a digest of the body, so that a proxy can neither reuse nor change the call. The proof names
 * auth's own address, because the proxy is not a party to it.
 */
export type Call = {
  readonly cluster: ClusterId;
  /** `/svc.v1.SERVICE/METHOD`. */
  readonly path: string;
  readonly body: Uint8Array;
  /** The session's token; undefined before a session. */
  readonly token: string | undefined;
  readonly now: UnixSeconds;
};

/** A digest of the public key (RFC 7638), to which a session is bound. */
declare const thumbprintBrand: unique symbol;
export type Thumbprint = string & { readonly [thumbprintBrand]: true };

export type ProofReading =
  | {
      readonly kind: "proven";
      readonly key: Thumbprint;
      /** The proof's own id. The verifier remembers it as long as the proof is fresh. */
      readonly id: string;
      readonly made: UnixSeconds;
    }
  | { readonly kind: "refused"; readonly why: ProofRefusal };

export type ProofRefusal = "malformed" | "signature" | "other-call" | "other-body" | "other-session" | "not-fresh";

const algorithm = "ES256";
const type = "dpop+jwt";
/** Longer than a proof with a key and eight claims. */
const longestProof = 2048;
/** How old a proof may be, or how far ahead, because clocks differ and calls take time. */
export const freshSeconds = 60;
const idBytes = 16;

export async function makeProof(privateKey: string, { cluster, path, body, token, now }: Call): Promise<string> {
  const { SignJWT, exportJWK } = await import("jose");
  const jwk = await exportJWK(createPublicKey(privateKey));
  const claims = {
    htm: "POST",
    htu: targetOf(cluster, path),
    body: digestOf(body),
    ...(token === undefined ? {} : { ath: digestOf(token) }),
    jti: randomBytes(idBytes).toString("base64url"),
    iat: now,
  };
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ: type, jwk }).sign(createPrivateKey(privateKey));
}

/** Checks that the key's owner made exactly this call, with this body, in this session, at about this time. */
export async function readProof(proof: string, { cluster, path, body, token, now }: Call): Promise<ProofReading> {
  if (proof.length > longestProof) return refused("malformed");
  const { EmbeddedJWK, calculateJwkThumbprint, decodeProtectedHeader, errors, jwtVerify } = await import("jose");
  let claims: JWTPayload;
  let key: Thumbprint;
  try {
    const { jwk } = decodeProtectedHeader(proof);
    if (jwk === undefined) return refused("malformed");
    const verified = await jwtVerify(proof, EmbeddedJWK, {
      algorithms: [algorithm],
      typ: type,
      requiredClaims: ["htm", "htu", "body", "jti", "iat"],
      // The code below judges the time, in both directions, by the caller's clock.
      currentDate: new Date(now * 1000),
      clockTolerance: Number.MAX_SAFE_INTEGER,
    });
    claims = verified.payload;
    key = (await calculateJwkThumbprint(jwk, "sha256")) as Thumbprint;
  } catch (thrown) {
    return refused(thrown instanceof errors.JWSSignatureVerificationFailed ? "signature" : "malformed");
  }
  const { htm, htu, body: bodyDigest, ath, jti, iat } = claims;
  if (htm !== "POST" || htu !== targetOf(cluster, path)) return refused("other-call");
  if (bodyDigest !== digestOf(body)) return refused("other-body");
  if (ath !== (token === undefined ? undefined : digestOf(token))) return refused("other-session");
  if (typeof jti !== "string" || !/^[\w-]{16,64}$/.test(jti) || iat === undefined || !Number.isSafeInteger(iat))
    return refused("malformed");
  if (Math.abs(now - iat) > freshSeconds) return refused("not-fresh");
  return { kind: "proven", key, id: jti, made: iat };
}

function refused(why: ProofRefusal): ProofReading {
  return { kind: "refused", why };
}

function targetOf(cluster: ClusterId, path: string): string {
  return `https://${authServerName(cluster)}${path}`;
}

function digestOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
