/** The cases that kube-apiserver fails: ours may do what it does. `npm run tool -- h2spec --upstream` checks whether the list still holds. */
export const upstreamFailures: readonly string[] = [
  // h2spec calls 20 kB of headers too long; kube-apiserver announces that it takes frames of 256 KiB.
  "admin http2/4.2: Sends a large size HEADERS frame that exceeds the SETTINGS_MAX_FRAME_SIZE",
  ...["nobody", "admin"].flatMap((who) => [
    // Go refuses a setting that appears twice in a frame.
    `${who} http2/6.5.3: Sends multiple values of SETTINGS_INITIAL_WINDOW_SIZE`,
    // Go answers these two with 400 and a sentence instead of a reset.
    `${who} http2/8.1.2.2: Sends a HEADERS frame that contains the connection-specific header field`,
    `${who} http2/8.1.2.2: Sends a HEADERS frame that contains the TE header field with any value other than "trailers"`,
  ]),
];

/**
 * Cases that any server passes or fails by chance: the answer may be complete before what the case is about has come, and nobody's connection
 * ends with it.
 */
export const leftToChance: readonly string[] = [
  "nobody http2/5.1.2: Sends HEADERS frames that causes their advertised concurrent stream limit to be exceeded",
  "nobody http2/6.9.1: Sends multiple WINDOW_UPDATE frames increasing the flow control window to above 2^31-1 on a stream",
  "admin http2/6.9.1: Sends multiple WINDOW_UPDATE frames increasing the flow control window to above 2^31-1 on a stream",
];
