// The module against published vectors, and against the cryptography of Node.js.
import assert from "node:assert/strict";
import crypto from "node:crypto";
import { test } from "node:test";

import { ed25519, p256, secp256k1, x25519 } from "./index.mjs";

const bytes = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
const hex = (value) => Buffer.from(value).toString("hex");
const text = (value) => new TextEncoder().encode(value);

/** A key of Node.js from a secret on a curve. */
function nodeKey(curve, secret) {
  const ecdh = crypto.createECDH(curve);
  ecdh.setPrivateKey(secret);
  const [x, y] = [ecdh.getPublicKey().subarray(1, 33), ecdh.getPublicKey().subarray(33)];
  const crv = { prime256v1: "P-256", secp256k1: "secp256k1" }[curve];
  const jwk = { kty: "EC", crv, x: x.toString("base64url"), y: y.toString("base64url") };
  return { ecdh, public: crypto.createPublicKey({ key: jwk, format: "jwk" }) };
}

test("P-256 signs as RFC 6979, A.2.5, does", () => {
  const secret = bytes("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");
  const r = "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716";
  const s = "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8";
  assert.equal(hex(p256.sign(secret, text("sample"))), r + s);
});

test("Ed25519 signs as RFC 8032, 7.1, test 2, does", () => {
  const secret = bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
  const key = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
  const signature =
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da" +
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";
  assert.equal(hex(ed25519.publicKey(secret)), key);
  assert.equal(hex(ed25519.sign(secret, bytes("72"))), signature);
  assert.ok(ed25519.verify(bytes(key), bytes("72"), bytes(signature)));
  assert.ok(!ed25519.verify(bytes(key), bytes("73"), bytes(signature)));
});

test("X25519 exchanges as RFC 7748, 6.1, does", () => {
  const bob = bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
  const alice = bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
  assert.equal(hex(x25519.publicKey(bob)), "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
  assert.equal(
    hex(x25519.exchange(bob, alice)),
    "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742",
  );
  assert.throws(() => x25519.exchange(bob, new Uint8Array(32)), RangeError);
});

for (const [name, curve, its] of [["P-256", p256, "prime256v1"], ["secp256k1", secp256k1, "secp256k1"]]) {
  test(`${name} agrees with Node.js`, () => {
    const secret = new Uint8Array(crypto.randomBytes(32));
    secret[0] &= 0x7f;
    const { ecdh, public: key } = nodeKey(its, secret);
    assert.equal(hex(curve.publicKey(secret)), ecdh.getPublicKey("hex", "compressed"));
    const message = text(`a message, and the secret ${hex(secret)}`);
    const signature = curve.sign(secret, message);
    assert.ok(crypto.verify("sha256", message, { key, dsaEncoding: "ieee-p1363" }, signature));
    assert.ok(curve.verify(curve.publicKey(secret), message, signature));
    assert.ok(curve.verify(new Uint8Array(ecdh.getPublicKey()), message, signature));
    signature[40] ^= 1;
    assert.ok(!curve.verify(curve.publicKey(secret), message, signature));
    const other = crypto.createECDH(its);
    other.generateKeys();
    const shared = curve.exchange(secret, new Uint8Array(other.getPublicKey()));
    assert.equal(hex(shared), ecdh.computeSecret(other.getPublicKey(), null, "hex"));
  });

  test(`${name} refuses what is out of range`, () => {
    assert.throws(() => curve.publicKey(new Uint8Array(32)), RangeError);
    assert.throws(() => curve.sign(new Uint8Array(31), text("")), RangeError);
    assert.throws(() => curve.exchange(new Uint8Array(32).fill(1), new Uint8Array(33)), RangeError);
    assert.equal(curve.verify(new Uint8Array(33), text(""), new Uint8Array(64)), false);
  });
}
