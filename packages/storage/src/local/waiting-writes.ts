/** Requests that wait for the next batch: urgent ones and others, each in the order they came. */
export class WaitingWrites<W extends { readonly isUrgent: boolean }> {
  #urgent: W[] = [];
  #others: W[] = [];

  get size(): number {
    return this.#urgent.length + this.#others.length;
  }

  push(one: W): void {
    (one.isUrgent ? this.#urgent : this.#others).push(one);
  }

  /** Ahead of those that wait. */
  putBack(again: readonly W[]): void {
    this.#urgent = [...again.filter(({ isUrgent }) => isUrgent), ...this.#urgent];
    this.#others = [...again.filter(({ isUrgent }) => !isUrgent), ...this.#others];
  }

  remove(one: W): void {
    const list = one.isUrgent ? this.#urgent : this.#others;
    const at = list.indexOf(one);
    if (at >= 0) list.splice(at, 1);
  }

  /** Those of the next batch. Urgent ones go ahead, but while others wait they get half of it at most: many of them do not stop the others. */
  take({ most, fits }: { readonly most: number; fits(one: W): boolean }): W[] {
    const taken: W[] = [];
    const reserved = Math.min(this.#others.length, most >> 1);
    this.#urgent = moveTo(taken, this.#urgent, { most: most - reserved, fits });
    this.#others = moveTo(taken, this.#others, { most, fits });
    return taken;
  }

  takeAll(): W[] {
    const all = [...this.#urgent, ...this.#others];
    this.#urgent = [];
    this.#others = [];
    return all;
  }
}

/** Moves items to `taken` while they fit; returns the rest. */
function moveTo<W>(
  taken: W[],
  list: W[],
  { most, fits }: { readonly most: number; readonly fits: (one: W) => boolean },
): W[] {
  let count = 0;
  while (count < list.length && taken.length < most && fits(list[count]!)) taken.push(list[count++]!);
  if (count === 0) return list;
  return count === list.length ? [] : list.slice(count);
}
