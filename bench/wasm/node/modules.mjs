// Functions of a module that ../src/lib.rs exports, by curve.

import fs from "node:fs";

import { INPUTS } from "./inputs.mjs";

// Names of curves in the module's exports.
const CURVES = { "P-256": "p256", secp256k1: "k256", Ed25519: "ed25519", X25519: "x25519" };
const PAGE = 65536;
// Room for each argument in the page that the module gets for them.
const ROOM = 256;

/** Return the functions of each curve; `sign` and `exchange` return their last result, `verify` counts successes. */
export async function fromModule(file) {
  const { instance } = await WebAssembly.instantiate(fs.readFileSync(file));
  const wasm = instance.exports;
  const page = wasm.memory.grow(1) * PAGE;
  const put = (bytes, index) => {
    new Uint8Array(wasm.memory.buffer).set(bytes, page + ROOM * index);
    return page + ROOM * index;
  };
  const result = (name, inputs, length, count) => {
    const out = page + ROOM * inputs.length;
    if (wasm[name](...inputs.map(put), out, count) !== count) throw new Error(`${file}: ${name} fails`);
    return new Uint8Array(wasm.memory.buffer).slice(out, out + length);
  };
  const functions = Object.entries(CURVES).map(([curve, name]) => {
    const { secret, key, message } = INPUTS[curve];
    const exchange = (count) => result(`${name}_exchange`, [secret, key], 32, count);
    const sign = (count) => result(`${name}_sign`, [secret, message], 64, count);
    const verify = (signature, count) => wasm[`${name}_verify`](...[key, message, signature].map(put), count);
    return [curve, curve === "X25519" ? { exchange } : { sign, verify }];
  });
  return Object.fromEntries(functions);
}
