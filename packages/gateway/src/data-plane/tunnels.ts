import { joinTunnels, type Tunnel } from "../calls/tunnel.js";

/** Pairs of connections whose bytes are passed on. */
export class Tunnels {
  readonly #open = new Set<readonly [client: Tunnel, backend: Tunnel]>();

  get heldBytes(): number {
    let bytes = 0;
    for (const [client, backend] of this.#open)
      bytes += client.connection.writableLength + backend.connection.writableLength;
    return bytes;
  }

  open(client: Tunnel, backend: Tunnel, onClosed: () => void): void {
    const pair = [client, backend] as const;
    this.#open.add(pair);
    joinTunnels(client, backend, () => {
      this.#open.delete(pair);
      onClosed();
    });
  }

  destroy(): void {
    for (const [client, backend] of this.#open) {
      client.connection.destroy();
      backend.connection.destroy();
    }
  }
}
