// A service of its own for a test: the real binary on a free port, over a data directory that goes with it.
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const BINARY = process.env.FIRSTCOPY;

export class Service {
  static async start() {
    if (!BINARY) throw new Error("FIRSTCOPY must name the binary: service/browser/run sets it");
    const folder = await mkdtemp(join(tmpdir(), "firstcopy-browser-"));
    const child = spawn(BINARY, ["serve", "--listen", "127.0.0.1:0", "--data", join(folder, "data")], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const service = new Service(child, folder);
    service.origin = await service.#address();
    return service;
  }

  // What it says; shown if it does not end in peace.
  #said = "";

  constructor(child, folder) {
    Object.assign(this, { child, folder });
  }

  // Where it says that it listens.
  #address() {
    return new Promise((found, failed) => {
      this.child.stderr.on("data", (piece) => {
        this.#said += piece;
        const origin = this.#said.match(/http:\/\/[0-9.]+:[0-9]+(?=[/\s])/);
        if (origin) found(origin[0]);
      });
      this.child.once("exit", (code) => failed(new Error(`the service ended with ${code}: ${this.#said}`)));
    });
  }

  // Stores a document; its verdict.
  async post(document) {
    const answer = await fetch(`${this.origin}/v1/documents`, { method: "POST", body: JSON.stringify(document) });
    if (!answer.ok) throw new Error(`${answer.status} for ${JSON.stringify(document)}: ${await answer.text()}`);
    return answer.json();
  }

  async get(path, key) {
    const headers = key ? { authorization: `Bearer ${key}` } : {};
    return (await fetch(this.origin + path, { headers })).json();
  }

  // A new key of a role; from the first one on, nobody gets in without.
  async key(role) {
    const data = join(this.folder, "data");
    const made = await promisify(execFile)(BINARY, ["keys", "add", "--role", role, "--name", role, "--json", "--data", data]);
    return JSON.parse(made.stdout).key;
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
    if (how !== 0) throw new Error(`the service ended with ${how}: ${this.#said}`);
  }
}
