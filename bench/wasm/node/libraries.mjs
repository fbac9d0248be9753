// Functions of libraries from npm by curve, in the form of `fromModule`.

import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import sodium from "libsodium-wrappers";
import * as tiny from "tiny-secp256k1";

import { INPUTS } from "./inputs.mjs";

/** Return a function that calls another one a number of times, and returns the last result. */
const last = (run) => (count) => {
  let result;
  for (let i = 0; i < count; i += 1) result = run();
  return result;
};

/** Return a function that calls another one a number of times, and counts what is true. */
const successes = (run) => (signature, count) => {
  let found = 0;
  for (let i = 0; i < count; i += 1) found += Number(run(signature));
  return found;
};

function noble() {
  const given = { prehash: false };
  const ecdsa = (curve, { secret, key, message }) => ({
    sign: last(() => curve.sign(message, secret, given)),
    verify: successes((signature) => curve.verify(signature, message, key, given)),
  });
  const { secret, key, message } = INPUTS.Ed25519;
  return {
    "P-256": ecdsa(p256, INPUTS["P-256"]),
    secp256k1: ecdsa(secp256k1, INPUTS.secp256k1),
    Ed25519: {
      sign: last(() => ed25519.sign(message, secret)),
      verify: successes((signature) => ed25519.verify(signature, message, key)),
    },
    X25519: { exchange: last(() => x25519.getSharedSecret(INPUTS.X25519.secret, INPUTS.X25519.key)) },
  };
}

async function libsodium() {
  await sodium.ready;
  const { secret, key, message } = INPUTS.Ed25519;
  const { privateKey } = sodium.crypto_sign_seed_keypair(secret);
  return {
    Ed25519: {
      sign: last(() => sodium.crypto_sign_detached(message, privateKey)),
      verify: successes((signature) => sodium.crypto_sign_verify_detached(signature, message, key)),
    },
    X25519: { exchange: last(() => sodium.crypto_scalarmult(INPUTS.X25519.secret, INPUTS.X25519.key)) },
  };
}

function tinySecp256k1() {
  const { secret, key, message } = INPUTS.secp256k1;
  return {
    secp256k1: {
      sign: last(() => tiny.sign(message, secret)),
      verify: successes((signature) => tiny.verify(message, key, signature)),
    },
  };
}

export const LIBRARIES = {
  "noble-curves": noble(),
  "tiny-secp256k1": tinySecp256k1(),
  "libsodium.js": await libsodium(),
};
