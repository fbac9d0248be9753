// Curves of curves.wasm for JavaScript: keys, signatures and secrets are Uint8Arrays.

const place = new URL("./curves.wasm", import.meta.url);
const bytes =
  place.protocol === "file:"
    ? await (await import("node:fs/promises")).readFile(place)
    : await (await fetch(place)).arrayBuffer();
const { instance } = await WebAssembly.instantiate(bytes);
const wasm = instance.exports;

/** Call a function on byte strings; return its result of a length, or undefined where it has none. */
function call(name, inputs, length = 0, lengths = []) {
  const held = [];
  const hold = (size) => {
    const at = wasm.reserve(size);
    held.push([at, size]);
    return at;
  };
  try {
    const given = inputs.flatMap((input, index) => {
      const at = hold(input.length);
      new Uint8Array(wasm.memory.buffer).set(input, at);
      return lengths.includes(index) ? [at, input.length] : [at];
    });
    const out = length ? [hold(length)] : [];
    const done = wasm[name](...given, ...out) === 1;
    if (!length) return done;
    return done ? new Uint8Array(wasm.memory.buffer).slice(out[0], out[0] + length) : undefined;
  } finally {
    held.forEach((one) => wasm.release(...one));
  }
}

/** Return bytes of one of some lengths, or throw. */
function checked(name, input, ...sizes) {
  if (!(input instanceof Uint8Array)) throw new TypeError(`${name} must be a Uint8Array`);
  if (sizes.length && !sizes.includes(input.length)) {
    throw new RangeError(`${name} has ${input.length} bytes, not ${sizes.join(" or ")}`);
  }
  return input;
}

/** Return a result; throw an error if there is none. */
function found(result, problem) {
  if (result === undefined) throw new RangeError(problem);
  return result;
}

const secretOf = (secret) => checked("the secret", secret, 32);
const messageOf = (message) => checked("the message", message);

function ecdsa(curve) {
  const refused = "the secret is 0, or not below the order";
  return {
    publicKey: (secret) => found(call(`${curve}_public_key`, [secretOf(secret)], 33), refused),
    sign: (secret, message) =>
      found(call(`${curve}_sign`, [secretOf(secret), messageOf(message)], 64, [1]), refused),
    verify: (key, message, signature) =>
      checked("the signature", signature).length === 64 &&
      call(`${curve}_verify`, [checked("the key", key), messageOf(message), signature], 0, [0, 1]),
    exchange: (secret, key) =>
      found(
        call(`${curve}_exchange`, [secretOf(secret), checked("the key", key)], 32, [1]),
        "the secret or the key is refused",
      ),
  };
}

export const p256 = ecdsa("p256");
export const secp256k1 = ecdsa("secp256k1");

export const ed25519 = {
  publicKey: (secret) => call("ed25519_public_key", [secretOf(secret)], 32),
  sign: (secret, message) => call("ed25519_sign", [secretOf(secret), messageOf(message)], 64, [1]),
  verify: (key, message, signature) =>
    checked("the signature", signature).length === 64 &&
    checked("the key", key).length === 32 &&
    call("ed25519_verify", [key, messageOf(message), signature], 0, [1]),
};

export const x25519 = {
  publicKey: (secret) => call("x25519_public_key", [secretOf(secret)], 32),
  exchange: (secret, key) =>
    found(
      call("x25519_exchange", [secretOf(secret), checked("the key", key, 32)], 32),
      "the key has a small order",
    ),
};
