import { createHash, createPrivateKey, createPublicKey, randomBytes } from "node:crypto";
import type { JWTPayload } from "jose";
import { authServerName, type ClusterId } from "./names.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/**
 * How a person proves each call: RFC 9449 (DPoP) with a digest of the body, so that a proxy can neither reuse nor change it. The address in it is
 * auth's own name, because the proxy is neither of the two parties.
 */
export type Call = {
  readonly cluster: ClusterId;
  /** `/svc.v1.SERVICE/METHOD`. */
  readonly path: string;
  readonly body: Uint8Array;
  /** The session's; undefined before there is one. */
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
      /** The proof's own id. A verifier remembers it while the proof is fresh. */
      readonly id: string;
      readonly made: UnixSeconds;
    }
  | { readonly kind: "refused"; readonly why: ProofRefusal };

export type ProofRefusal = "malformed" | "signature" | "other-call" | "other-body" | "other-session" | "not-fresh";

const algorithm = "ES256";
const type = "dpop+jwt";
/** No proof, with a key and eight claims, is longer. */
const longestProof = 2048;
/** A proof may be this old or this far ahead, because clocks differ and calls take a while. */
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

/** Whether the key's owner made exactly this call, with this body, in this session, about now. */
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
      // Judged below in both directions, by the caller's clock.
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
