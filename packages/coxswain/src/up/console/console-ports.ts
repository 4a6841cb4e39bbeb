/** Ports to try: the one that was asked for, else a few from 6444 on, else any. */
export const consolePorts = (asked: number | undefined): readonly number[] =>
  asked === undefined ? [...Array.from({ length: 10 }, (_, index) => 6444 + index), 0] : [asked];
