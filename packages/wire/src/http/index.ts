export {
  type HttpAddress,
  type HttpAnswer,
  HttpClient,
  type HttpClientOptions,
  type HttpClientTls,
  HttpFailure,
  type HttpRequest,
} from "./http-client.js";
