export type { Transport, TransportBody, TransportRequest, TransportResponse } from "./transport.js";
