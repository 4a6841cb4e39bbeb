/** What draws itself again when it is asked to. */
interface Drawn {
  forceUpdate(): void;
}

/** Rows of one frame: more than scrolling brings. All rows of a screen, as after each letter of a filter, take longer than a frame has. */
const mostInFrame = 8;

export interface Frames {
  /** The same value for as long as one frame is made. */
  current(): unknown;
  request(run: () => void): void;
}

export const pageFrames: Frames = {
  current: () => document.timeline.currentTime,
  request: (run) => void requestAnimationFrame(run),
};

/** Spreads over frames what has to be drawn. */
export class DrawBudget {
  readonly #frames: Frames;
  readonly #waiting = new Set<Drawn>();
  #frame: unknown;
  #drawn = 0;

  constructor(frames: Frames) {
    this.#frames = frames;
  }

  /** Whether it may draw itself now; otherwise it is asked again in the next frame. */
  mayDraw(row: Drawn): boolean {
    const frame = this.#frames.current();
    if (frame !== this.#frame) this.#drawn = 0;
    this.#frame = frame;
    if (this.#drawn < mostInFrame) {
      this.#drawn++;
      this.#waiting.delete(row);
      return true;
    }
    if (this.#waiting.size === 0) this.#frames.request(() => this.#drawWaiting());
    this.#waiting.add(row);
    return false;
  }

  forget(row: Drawn): void {
    this.#waiting.delete(row);
  }

  #drawWaiting(): void {
    const rows = [...this.#waiting];
    this.#waiting.clear();
    for (const row of rows) row.forceUpdate();
  }
}
