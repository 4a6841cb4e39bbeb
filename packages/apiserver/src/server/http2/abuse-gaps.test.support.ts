/** Rows in which ours differs from kube-apiserver, and why; a row that passes again fails the test. */
export const knownGaps: Readonly<Record<string, string>> = {
  "one header of 2 MiB":
    "ours reads headers when they are complete, and refuses them by their length; the connection ends in any case",
};
