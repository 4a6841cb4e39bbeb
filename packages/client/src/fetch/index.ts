export { createFetchTransport, type FetchTransportOptions } from "./fetch-transport.js";
