// Times noble-curves, and prints `operation|subject|median|lower decile`, in µs, for each operation.
// Usage: node noble.js ROUNDS

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { ed25519_hasher } from "@noble/curves/ed25519.js";
import { p256_hasher } from "@noble/curves/nist.js";
import { schnorr, secp256k1_hasher } from "@noble/curves/secp256k1.js";

const encoder = new TextEncoder();
const MESSAGE = encoder.encode("hello, a message of thirty-two by");
const DST = encoder.encode("a tag of messages that are hashed to a curve");
const SECRET = new Uint8Array(32).fill(7);
const OTHER = new Uint8Array(32).fill(9);
const PUBLIC = schnorr.getPublicKey(SECRET);
const SIGNATURE = schnorr.sign(MESSAGE, SECRET, OTHER);
const OPERATIONS = {
  "P-256: hash to the curve": () => p256_hasher.hashToCurve(MESSAGE, { DST }),
  "secp256k1: hash to the curve": () => secp256k1_hasher.hashToCurve(MESSAGE, { DST }),
  "edwards25519: hash to the curve": () => ed25519_hasher.hashToCurve(MESSAGE, { DST }),
  "BLS12-381 G1: hash to the curve": () => bls12_381.G1.hashToCurve(MESSAGE, { DST }),
  "BIP-340: decode a key, verify": () => schnorr.verify(SIGNATURE, MESSAGE, PUBLIC),
  "BIP-340: sign": () => schnorr.sign(MESSAGE, SECRET, OTHER),
};
// Calls of a round, and before the first round, after which the compiler has seen every operation often.
const COUNT = 10;
const WARMING = 300;

function microseconds(run, count) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < count; i += 1) run();
  return Number(process.hrtime.bigint() - start) / 1000 / count;
}

const rounds = Number(process.argv[2]);
for (const run of Object.values(OPERATIONS)) microseconds(run, WARMING);
const times = Object.fromEntries(Object.keys(OPERATIONS).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, run] of Object.entries(OPERATIONS)) times[name].push(microseconds(run, COUNT));
}
for (const [name, all] of Object.entries(times)) {
  all.sort((a, b) => a - b);
  const figures = [2, 10].map((part) => all[Math.floor(rounds / part)].toFixed(3));
  console.log(`${name}|noble-curves 2.4, JavaScript|${figures.join("|")}`);
}
