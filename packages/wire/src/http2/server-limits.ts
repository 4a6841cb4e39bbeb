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
const connectionWindow = (maxStreams: number): number => Math.min(streamWindow * maxStreams, maxWindow);

/** What one connection may hold. A server whose answers come from others holds bodies longer than one that reads them. */
export interface SessionSizes {
  /** SETTINGS_MAX_HEADER_LIST_SIZE. */
  readonly maxHeaderBytes: number;
  readonly maxFrameBytes: number;
  /** Receive windows of a stream, and of the connection. */
  readonly streamWindow: number;
  readonly connectionWindow: number;
}

export const defaultSizes = (maxStreams: number): SessionSizes => ({
  maxHeaderBytes,
  maxFrameBytes,
  streamWindow,
  connectionWindow: connectionWindow(maxStreams),
});

/** The first SETTINGS frame of a server. */
export const serverSettings = (maxStreams: number, sizes: SessionSizes): Buffer =>
  encodeSettings([
    [setting.maxFrameSize, sizes.maxFrameBytes],
    [setting.maxConcurrentStreams, maxStreams],
    [setting.maxHeaderListSize, sizes.maxHeaderBytes],
    [setting.initialWindowSize, sizes.streamWindow],
  ]);
