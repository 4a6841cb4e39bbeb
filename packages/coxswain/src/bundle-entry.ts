import { main } from "./main.js";

// Idle sockets of clients that stay connected must not keep a finished command alive, so the process is ended.
void main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (err: unknown) => {
    process.stderr.write(`coxswain: ${err instanceof Error ? (process.env["COXSWAIN_DEBUG"] ? err.stack : err.message) : String(err)}\n`);
    process.exit(1);
  },
);
