import type { Socket } from "node:net";
import { frameHeadBytes, writeFrameHead } from "./frame.js";

const roomBytes = 65_536;
/** Handed to the socket and not yet taken by the network: above the first, data waits in its streams; above the second, nothing more is read. */
const crowdedBytes = 512 * 1024;
const stuffedBytes = 2 * 1024 * 1024;

/** Rooms that nobody uses, shared by all connections. */
const spare: Buffer[] = [];
const mostSpare = 32;

/**
 * What goes out on a connection. Frames are copied into rooms that are used again and again, and those of one turn of the event
 * loop go out together: writing costs a call and a record of TLS, whatever its length.
 */
export class Outbox {
  readonly #socket: Socket;
  readonly #onRoom: () => void;
  #room: Buffer | undefined;
  #length = 0;
  /** In the socket's hands. */
  #handed = 0;
  #isScheduled = false;
  #held = false;

  /** @param onRoom it was crowded, and is no longer */
  constructor(socket: Socket, onRoom: () => void) {
    this.#socket = socket;
    this.#onRoom = onRoom;
  }

  /** Data should wait. Other frames are short, and may go. */
  get isCrowded(): boolean {
    return this.#handed + this.#length >= crowdedBytes;
  }

  /** The other side does not read what it asks for. */
  get isStuffed(): boolean {
    return this.#handed + this.#length >= stuffedBytes;
  }

  /** @param payload is copied: `length` bytes of it, at most as many as the shortest limit for frames, from `start` on */
  frame(type: number, flags: number, stream: number, payload: Uint8Array, start = 0, length = payload.length): void {
    const room = this.#reserve(frameHeadBytes + length);
    writeFrameHead(room, this.#length, { type, flags, stream, length });
    room.set(
      length === payload.length ? payload : payload.subarray(start, start + length),
      this.#length + frameHeadBytes,
    );
    this.#length += frameHeadBytes + length;
  }

  /** A frame that is complete. */
  put(bytes: Buffer): void {
    this.#reserve(bytes.length).set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** What comes until `release` goes out together: then, or with what else comes in this turn. */
  hold(): void {
    this.#held = true;
  }

  release(when: "now" | "at the end of the turn"): void {
    this.#held = false;
    if (when === "now") this.flush();
    else if (this.#length > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  flush(): void {
    const room = this.#room;
    if (!room || this.#length === 0) return;
    const length = this.#length;
    this.#room = undefined;
    this.#length = 0;
    if (!this.#socket.writable) return giveBack(room);
    this.#handed += length;
    this.#socket.write(room.subarray(0, length), () => {
      giveBack(room);
      const wasCrowded = this.isCrowded;
      this.#handed -= length;
      if (wasCrowded && !this.isCrowded) this.#onRoom();
    });
  }

  #reserve(bytes: number): Buffer {
    if (this.#length + bytes > roomBytes) this.flush();
    if (!this.#held) this.#schedule();
    return (this.#room ??= spare.pop() ?? Buffer.allocUnsafeSlow(roomBytes));
  }
}

function giveBack(room: Buffer): void {
  if (spare.length < mostSpare) spare.push(room);
}
