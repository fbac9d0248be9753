// Runs the tests that a module exports, each in an instance of its own, and prints what libtest would.
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import process from "node:process";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));

/** Call a test in a new instance; return the message of the panic or of another trap that ends it. */
function trapOf(name) {
  let message;
  const bytes = (at, length) => new Uint8Array(instance.exports.memory.buffer, at, length);
  const runner = {
    panicked: (at, length) => (message = new TextDecoder().decode(bytes(at, length))),
    // At most 65,536 bytes can be asked for at a time, which is more than any test does.
    randomise: (at, length) => webcrypto.getRandomValues(bytes(at, length)),
  };
  const instance = new WebAssembly.Instance(module, { runner });
  try {
    instance.exports[name]();
    return { trapped: false };
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
    return { trapped: true, panicked: message !== undefined, message: message ?? error.stack };
  }
}

const counts = { passed: 0, failed: 0, ignored: 0 };
for (const { kind, name } of WebAssembly.Module.exports(module)) {
  const [, mark, path] = /^(test|ignore|should_panic) (.*)$/.exec(name) ?? [];
  if (kind !== "function" || mark === undefined) continue;
  if (mark === "ignore") {
    counts.ignored += 1;
    continue;
  }
  const { trapped, panicked, message } = trapOf(name);
  const passes = mark === "should_panic" ? panicked : !trapped;
  counts[passes ? "passed" : "failed"] += 1;
  if (!passes) console.log(`${path} ... FAILED\n${message ?? "the test did not panic"}`);
}
const { passed, failed, ignored } = counts;
console.log(`test result: ${failed ? "FAILED" : "ok"}. ${passed} passed; ${failed} failed; ${ignored} ignored`);
process.exitCode = failed ? 101 : 0;
