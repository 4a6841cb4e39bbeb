import {
  isServiceUnavailable,
  isStatusError,
  type StatusError,
  serviceUnavailable,
} from "@coxswain/apimachinery/status";
import { responseError, type Transport, TransportError } from "@coxswain/client/transport";

/** How the server marks an answer that its client shall not receive. Clients over sockets see it as a 503. */
const mark = "the connection was lost (injected fault)";

export const connectionLost = (): StatusError => serviceUnavailable(mark);

const isLost = (error: unknown): boolean =>
  isStatusError(error) && isServiceUnavailable(error) && error.status.message === mark;

const lost = (): TransportError => new TransportError("lost", mark);

/** Turns marked answers into what a lost connection is for a client. */
export const loseConnections = (transport: Transport): Transport => ({
  async send(request) {
    const response = await transport.send(request);
    if (response.status !== 503) return response;
    const error = responseError({
      method: request.method,
      path: request.path,
      status: response.status,
      header: (name) => response.header(name),
      body: await response.bytes(),
    });
    if (isLost(error)) throw lost();
    return response;
  },
  async watch(request) {
    try {
      return await transport.watch(request);
    } catch (error) {
      throw isLost(error) ? lost() : error;
    }
  },
  close: () => transport.close(),
});
