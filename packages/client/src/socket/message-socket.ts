/** A connection that carries whole binary messages in order, such as a WebSocket after its handshake. */
export interface MessageSocket {
  /** After the close it does nothing. */
  send(message: Uint8Array): void;
  close(): void;
  /** Once, before the first message arrives. */
  listen(events: { onMessage(message: Uint8Array): void; onClose(reason: string): void }): void;
}
