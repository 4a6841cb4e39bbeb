/** Rows in which ours is told from kube-apiserver, and why; a row that passes again complains. */
export const knownGaps: Readonly<Record<string, string>> = {
  "one header of 2 MiB":
    "ours reads headers when they are complete, and refuses them by their length; the connection ends in any case",
};
