import { endWithParent } from "./command/end-with-parent.js";
import { main } from "./main.js";

// The reader of our output may have gone (`coxswain store get … | head`): the command finishes all the same.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

// Idle sockets of clients that stay connected must not keep a finished command alive, so the process is ended: once all it
// wrote has been read, for a pipe may be slow.
const end = (code: number): void =>
  void process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));

// The clock's timers keep no process alive, so one that waits for nothing but the next try (of an etcd that refuses it) would
// end before its time, without a word and with 0. An open port keeps it until the command has come to its end.
new MessageChannel().port1.ref();

endWithParent();
void main(process.argv.slice(2)).then(end, (err: unknown) => {
  process.stderr.write(
    `coxswain: ${err instanceof Error ? (process.env["COXSWAIN_DEBUG"] ? err.stack : err.message) : String(err)}\n`,
  );
  end(1);
});
