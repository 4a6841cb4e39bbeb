import { type Transport, TransportError } from "@coxswain/client/transport";

/** What a killed process sends never arrives, and what it waits for never comes. */
export const whileAlive = (transport: Transport, isAlive: () => boolean): Transport => {
  const dead = (): TransportError => new TransportError("lost", "the program was killed (injected fault)");
  const check = (): void => {
    if (!isAlive()) throw dead();
  };
  return {
    async send(request) {
      check();
      const response = await transport.send(request);
      check();
      return response;
    },
    async watch(request) {
      check();
      const stream = await transport.watch(request);
      if (isAlive()) return stream;
      stream.stop();
      throw dead();
    },
    close: () => transport.close(),
  };
};
