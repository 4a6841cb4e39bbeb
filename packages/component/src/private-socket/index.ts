export { listenPrivately } from "./listen-privately.js";
