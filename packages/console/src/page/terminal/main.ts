import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";

/**
 * The frame of a terminal. It has no session and can connect to nothing: bytes come and go by a port that the page hands over. What
 * a container prints is the terminal's to draw; titles and the clipboard stay out of its reach, as xterm leaves both to us.
 */
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
const terminal = new Terminal({
  cursorBlink: true,
  fontFamily: "ui-monospace, Menlo, Consolas, monospace",
  fontSize: 13,
  screenReaderMode: true,
  theme: dark
    ? { background: "#14171a", foreground: "#e4e7ea" }
    : { background: "#ffffff", foreground: "#1d2126", cursor: "#1d2126" },
});
const fit = new FitAddon();
terminal.loadAddon(fit);
terminal.open(document.getElementById("terminal") as HTMLElement);
fit.fit();
// The shell gets every other key, the tab key, too: this one leaves (WCAG 2.1.2).
terminal.attachCustomKeyEventHandler(({ ctrlKey, key }) => {
  if (!ctrlKey || key !== "F6") return true;
  parent.postMessage("leave", location.origin);
  return false;
});

addEventListener("message", ({ data, origin, ports: [port] }: MessageEvent<unknown>) => {
  if (origin !== location.origin || data !== "terminal" || !port) return;
  const encoder = new TextEncoder();
  const sendSize = (): void => port.postMessage({ columns: terminal.cols, rows: terminal.rows });
  port.onmessage = (event: MessageEvent<Uint8Array | { ended: string }>) => {
    if (event.data instanceof Uint8Array) terminal.write(event.data);
    else
      terminal.write(`\r\n\x1b[2m${event.data.ended === "" ? "the command has ended" : event.data.ended}\x1b[0m\r\n`);
  };
  terminal.onData((text) => port.postMessage(encoder.encode(text)));
  terminal.onResize(sendSize);
  sendSize();
  terminal.focus();
  addEventListener("pagehide", () => port.postMessage("close"));
});

new ResizeObserver(() => fit.fit()).observe(document.body);
