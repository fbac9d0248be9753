/** A curve with ECDSA, SHA-256, and ECDH. Secrets have 32 bytes, signatures r and s of 32 bytes each. */
export interface Ecdsa {
  /** Return the public key of a secret, compressed, 33 bytes; throws a RangeError for a secret that is refused. */
  publicKey(secret: Uint8Array): Uint8Array;
  /** Return the signature of a message by RFC 6979. */
  sign(secret: Uint8Array, message: Uint8Array): Uint8Array;
  /** Return whether a signature is valid for a key of 33 or 65 bytes; what is malformed is not. */
  verify(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  /** Return the secret that is shared with a key's owner, 32 bytes; throws a RangeError for a key that is refused. */
  exchange(secret: Uint8Array, key: Uint8Array): Uint8Array;
}

/** Ed25519 by RFC 8032: secrets and keys of 32 bytes, signatures of 64. */
export interface Ed25519 {
  publicKey(secret: Uint8Array): Uint8Array;
  sign(secret: Uint8Array, message: Uint8Array): Uint8Array;
  verify(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}

/** X25519 by RFC 7748. */
export interface X25519 {
  publicKey(secret: Uint8Array): Uint8Array;
  /** Return the shared secret; throws a RangeError for a key of small order. */
  exchange(secret: Uint8Array, key: Uint8Array): Uint8Array;
}

export const p256: Ecdsa;
export const secp256k1: Ecdsa;
export const ed25519: Ed25519;
export const x25519: X25519;
