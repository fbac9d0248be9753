// The prover: Python, FLINT and efdgen, loaded once; each message is a text and its place, and gets one answer.
import { loadPyodide } from "./parts/pyodide.mjs";

const parts = new URL("./parts/", import.meta.url).href;

async function load(name) {
  const answer = await fetch(parts + name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function start(wheel) {
  const [python, flint, own] = await Promise.all([
    loadPyodide({ indexURL: parts }),
    load(wheel),
    load("efdgen.zip"),
  ]);
  postMessage({ state: "Starting the prover …" });
  python.unpackArchive(flint, "wheel");
  const packages = python.runPython("import sysconfig; sysconfig.get_path('purelib')");
  python.unpackArchive(own, "zip", { extractDir: packages });
  return python.runPython("from efdgen.reference.playground.entry import check; check");
}

let check = null;
onmessage = async (event) => {
  const { wheel, text, place } = event.data;
  try {
    check = check || start(wheel);
    const prove = await check;
    postMessage({ proving: true });
    postMessage({ answer: JSON.parse(prove(text, place)) });
  } catch (error) {
    postMessage({ failure: String(error.message || error) });
  }
};
