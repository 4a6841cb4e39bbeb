import { encodeSettings, maxWindow, setting } from "./frame.js";

/**
 * SETTINGS_INITIAL_WINDOW_SIZE and SETTINGS_MAX_FRAME_SIZE as kube-apiserver announces them: most objects fit into one frame
 * and one window.
 */
export const streamWindow = 256 * 1024;
export const maxFrameBytes = 256 * 1024;
/** SETTINGS_MAX_HEADER_LIST_SIZE, as Go's server announces it for a limit of 1 MiB. */
export const maxHeaderBytes = (1 << 20) + 320;
/** Backpressure: bytes that are read from the socket and not yet processed, at most. A whole frame must fit. */
export const maxBacklogBytes = 2 * maxFrameBytes;
/** Streams that are still accepted after `close`: a client may have sent them before it can see GOAWAY. */
export const maxStreamsAfterClose = 1000;
/** RST_STREAM after an early response is delayed by so much: curl drops the response if both arrive together. */
export const resetDelayMs = 20;

/** Receive window of a connection: room for the window of every stream. */
export const connectionWindow = (maxStreams: number): number => Math.min(streamWindow * maxStreams, maxWindow);

/** The first SETTINGS frame of a server. */
export const serverSettings = (maxStreams: number): Buffer =>
  encodeSettings([
    [setting.maxFrameSize, maxFrameBytes],
    [setting.maxConcurrentStreams, maxStreams],
    [setting.maxHeaderListSize, maxHeaderBytes],
    [setting.initialWindowSize, streamWindow],
  ]);
