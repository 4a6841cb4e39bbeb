/** RFC 9113, section 7. */
export const errorCode = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
} as const;

/** A connection error, or a stream error where a stream is named (RFC 9113, section 5.4). */
export class Http2Error extends Error {
  readonly code: number;
  readonly stream: number | undefined;

  constructor(code: number, message: string, stream?: number) {
    super(message);
    this.name = "Http2Error";
    this.code = code;
    this.stream = stream;
  }
}
