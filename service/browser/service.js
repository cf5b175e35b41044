// A service of its own for a test: the real binary on a free port, over a data directory that goes with it.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BINARY = process.env.FIRSTCOPY;

export class Service {
  static async start() {
    if (!BINARY) throw new Error("FIRSTCOPY must name the binary: service/browser/run sets it");
    const folder = await mkdtemp(join(tmpdir(), "firstcopy-browser-"));
    const child = spawn(BINARY, ["serve", "--listen", "127.0.0.1:0", "--data", join(folder, "data")], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    return new Service(child, folder, await address(child));
  }

  constructor(child, folder, origin) {
    Object.assign(this, { child, folder, origin });
  }

  // Stores a document; its verdict.
  async post(document) {
    const answer = await fetch(`${this.origin}/v1/documents`, { method: "POST", body: JSON.stringify(document) });
    if (!answer.ok) throw new Error(`${answer.status} for ${JSON.stringify(document)}: ${await answer.text()}`);
    return answer.json();
  }

  async get(path) {
    return (await fetch(this.origin + path)).json();
  }

  // Search and similarity follow within a second.
  async settled() {
    for (let tries = 0; tries < 300; tries += 1) {
      if ((await fetch(`${this.origin}/readyz`)).ok) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error("the service did not become ready");
  }

  // Ends as it does in use; one that does not end in peace fails the test.
  async stop() {
    const ended = new Promise((done) => this.child.once("exit", (code, signal) => done(signal ?? code)));
    this.child.kill("SIGTERM");
    const how = await ended;
    await rm(this.folder, { recursive: true, force: true });
    if (how !== 0) throw new Error(`the service ended with ${how}`);
  }
}

// Where it says that it listens. What it says later is passed on, so that a failure can be understood.
function address(child) {
  return new Promise((found, failed) => {
    let said = "";
    child.stderr.on("data", (piece) => {
      const first = said.match(/http:\/\/[0-9.]+:[0-9]+/) === null;
      if (!first) return process.stderr.write(piece);
      said += piece;
      const origin = said.match(/http:\/\/[0-9.]+:[0-9]+(?=[/\s])/);
      if (origin) found(origin[0]);
    });
    child.once("exit", (code) => failed(new Error(`the service ended with ${code}: ${said}`)));
  });
}
