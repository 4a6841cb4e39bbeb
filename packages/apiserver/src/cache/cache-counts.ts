/** What a watch cache has done so far. Plain numbers: they are added to for every event and every list. */
export interface CacheCounts {
  /** Events of the store. */
  events: number;
  /** Objects sent to watchers as the state they begin with. */
  initial: number;
  /** Watchers that were cut because they did not keep up. */
  cut: number;
  lists: number;
  /** Of those, the ones that had to be of the newest state. */
  consistentLists: number;
  /** Objects that lists have looked at, and those they have answered with. */
  looked: number;
  listed: number;
  /** Values that are no object of the resource. */
  decodeErrors: number;
}

export const noCounts = (): CacheCounts => ({
  events: 0,
  initial: 0,
  cut: 0,
  lists: 0,
  consistentLists: 0,
  looked: 0,
  listed: 0,
  decodeErrors: 0,
});
