/** A message that is not HTTP/1.1, or more of it than is taken. `status`: what a server answers before it closes the connection. */
export class Http1Error extends Error {
  readonly status: 400 | 405 | 417 | 431 | 501 | 505;

  constructor(status: Http1Error["status"], message: string) {
    super(message);
    this.status = status;
  }
}

export const malformed = (message: string): Http1Error => new Http1Error(400, message);
