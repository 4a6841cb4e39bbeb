import { Duplex } from "node:stream";

/** A connection that fails with this error once somebody uses it. */
export const refusedConnection = (error: Error): Duplex =>
  new Duplex({
    read() {
      this.destroy(error);
    },
    write(_chunk, _encoding, done) {
      done(error);
    },
  });
