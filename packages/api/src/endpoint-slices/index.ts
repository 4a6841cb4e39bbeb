export { type Endpoint, readyEndpoints } from "./ready-endpoints.js";
