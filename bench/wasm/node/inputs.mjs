// Secrets, keys, messages and signatures by Node.js, and checks of a subject's functions against it.
// Usage: node inputs.mjs, which prints the inputs of each curve as hexadecimal strings in JSON.

import assert from "node:assert/strict";
import crypto from "node:crypto";
import { fileURLToPath } from "node:url";

const SECRET = crypto.createHash("sha256").update("a secret").digest();
const MESSAGE = crypto.createHash("sha256").update("a message").digest();
const DIGEST = crypto.createHash("sha256").update(MESSAGE).digest();
// Heads of PKCS #8 before a secret of 32 bytes (RFC 8410).
const HEADS = {
  Ed25519: "302e020100300506032b657004220420",
  X25519: "302e020100300506032b656e04220420",
};

const decoded = (text) => Buffer.from(text, "base64url");
const secretKey = (curve) => {
  const key = Buffer.concat([Buffer.from(HEADS[curve], "hex"), SECRET]);
  return crypto.createPrivateKey({ key, format: "der", type: "pkcs8" });
};
const bytesOf = (key) => decoded(key.export({ format: "jwk" }).x);

/** Return the inputs of ECDSA on a curve, and the verdict of Node.js on a signature. */
function ecdsa(curve, itsName) {
  const ecdh = crypto.createECDH(itsName);
  ecdh.setPrivateKey(SECRET);
  const key = ecdh.getPublicKey();
  const [x, y] = [key.subarray(1, 33), key.subarray(33)].map((part) => part.toString("base64url"));
  const jwk = { kty: "EC", crv: curve, x, y };
  const [open, sealed] = [jwk, { ...jwk, d: SECRET.toString("base64url") }];
  const options = (of) => ({ key: of, format: "jwk", dsaEncoding: "ieee-p1363" });
  let signature;
  // k256 refuses the greater of s and -s.
  do signature = crypto.sign("sha256", MESSAGE, options(sealed));
  while (signature[32] > 0x7e);
  const accepts = (given) => crypto.verify("sha256", MESSAGE, options(open), given);
  return { secret: SECRET, key, message: DIGEST, signature, accepts };
}

function ed25519() {
  const sealed = secretKey("Ed25519");
  const open = crypto.createPublicKey(sealed);
  const accepts = (given) => crypto.verify(null, MESSAGE, open, given);
  const signature = crypto.sign(null, MESSAGE, sealed);
  return { secret: SECRET, key: bytesOf(open), message: MESSAGE, signature, accepts };
}

function x25519() {
  const privateKey = secretKey("X25519");
  const { publicKey } = crypto.generateKeyPairSync("x25519");
  const shared = crypto.diffieHellman({ privateKey, publicKey });
  return { secret: SECRET, key: bytesOf(publicKey), shared };
}

export const INPUTS = {
  "P-256": ecdsa("P-256", "prime256v1"),
  secp256k1: ecdsa("secp256k1", "secp256k1"),
  Ed25519: ed25519(),
  X25519: x25519(),
};

/** Return a signature or a shared secret with another first byte. */
export function changed(bytes) {
  const copy = Uint8Array.from(bytes);
  copy[0] ^= 1;
  return copy;
}

/** Throw unless the functions of a subject on a curve agree with Node.js, once and repeated. */
export function check(curve, subject) {
  const { signature, accepts, shared } = INPUTS[curve];
  for (const count of [1, 3]) {
    if (shared) {
      assert.deepEqual(Buffer.from(subject.exchange(count)), shared);
    } else {
      assert.ok(accepts(subject.sign(count)));
      assert.equal(subject.verify(signature, count), count);
      assert.equal(subject.verify(changed(signature), count), 0);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Verdicts are functions, which JSON leaves out.
  const texts = (_, value) => (value?.type === "Buffer" ? Buffer.from(value.data).toString("hex") : value);
  console.log(JSON.stringify(INPUTS, texts));
}
